import type { JsonInteger, JsonObject, JsonValue } from "../../contract/json.ts";
import { MAX_U64, MAX_U256 } from "../../contract/largest-integers.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { gasLimitProblem } from "../../contract/transaction/intrinsic-gas.ts";
import { SPEEDS } from "../../contract/transaction/replacement.ts";
import type { FindFlaw } from "../handlers/send-transaction.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { type Accept, fieldsOf } from "../transaction/accepted.ts";
import { kindOf } from "../transaction/lookup.ts";
import { oneOf, optional, type Read, ShapeError, struct, text, unexpected, whole } from "./serde.ts";
import { readSolana } from "./solana-request.ts";
import { readStellar, stellarFlaw } from "./stellar-request.ts";

type Rule = (body: JsonObject, relayer: Resource, now: number) => string | undefined;

const RULES: readonly Rule[] = [
  policyRule("to"),
  ({ to, data }) =>
    isGiven(to) || isGiven(data)
      ? undefined
      : "Both txs `to` and `data` fields are missing. At least one of them has to be set.",
  policyRule("gas_limit"),
  gasLimitProblem,
  validUntilRule,
  priceRule,
  policyRule("gas_price"),
];

function policyRule(field: string): Rule {
  return (body, relayer) => relayerRules.evm(body, relayer).find(({ path }) => path === field)?.rule;
}

function isGiven(field: JsonObject[string] | undefined): boolean {
  return field !== undefined && field !== null;
}

function validUntilRule({ valid_until: given }: JsonObject, _: Resource, now: number): string | undefined {
  if (!isGiven(given)) return undefined;
  const until = Date.parse(String(given));
  if (Number.isNaN(until)) return "Invalid validUntil datetime format";
  return until < now ? "The validUntil time cannot be in the past" : undefined;
}

function priceRule({ gas_price: price, speed, max_fee_per_gas: fee, max_priority_fee_per_gas: tip }: JsonObject) {
  const modes = [isGiven(price), isGiven(speed), isGiven(fee) || isGiven(tip)].filter(Boolean).length;
  if (modes === 0) return "Transaction must specify either gasPrice, speed, or EIP1559 parameters";
  if (modes > 1) return "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";
  if (isGiven(fee) !== isGiven(tip)) {
    return "EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas";
  }
  const isCrossed = isGiven(fee) && BigInt(String(fee)) < BigInt(String(tip));
  return isCrossed ? "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas" : undefined;
}

/** Reads a JSON integer up to 2^64 − 1, or a string of decimal or `0x` digits (facts 5.3). */
const u256: Read<JsonInteger> = (value) => {
  const expected = "a 32 byte hex string";
  if (typeof value === "string") {
    if (!/^(?:[0-9]+|0x[0-9a-f]+)$/i.test(value) || BigInt(value) > MAX_U256) throw unexpected(value, expected);
    return BigInt(value);
  }
  if (typeof value === "number" && value < 0) {
    throw new ShapeError(`invalid type: integer \`${value}\`, expected ${expected}`);
  }
  return whole(expected, MAX_U64)(value);
};

const price = optional(whole("u128", MAX_U64));

const readRequest = struct(
  "EvmTransactionRequest",
  {
    to: optional(text),
    value: u256,
    data: optional(text),
    gas_limit: optional(whole("u64", MAX_U64)),
    gas_price: price,
    speed: optional(oneOf(SPEEDS)),
    max_fee_per_gas: price,
    max_priority_fee_per_gas: price,
    valid_until: optional(text),
  },
  { required: ["value"], strict: false },
);

export const readBody: Readonly<Record<NetworkKind, Accept>> = {
  evm: readingShape(readEvm),
  solana: readingShape(readSolana),
  stellar: readingShape(readStellar),
};

export const acceptAsService: Accept = (relayer, body, now) => {
  const kind = kindOf(relayer);
  return fieldsOf[kind](relayer, readBody[kind](relayer, body, now));
};

/** Returns the error for a body that is accepted but cannot be prepared; EVM shows it in the record itself. */
export const getFlaw: FindFlaw = (relayer, body) => (kindOf(relayer) === "stellar" ? stellarFlaw(body) : undefined);

function readEvm(relayer: Resource, value: JsonValue, now: number): JsonObject {
  const body = readRequest(value) as JsonObject;
  for (const rule of RULES) {
    const words = rule(body, relayer, now);
    if (words !== undefined) throw new Refusal(400, words);
  }
  return body;
}

/** Drops unknown fields silently; addresses and data are not checked (facts 5.3, 5.7). */
function readingShape(read: Accept): Accept {
  return (relayer, value, now) => {
    try {
      return read(relayer, value, now);
    } catch (error) {
      if (error instanceof ShapeError) throw new Refusal(400, error.message);
      throw error;
    }
  };
}
