import type { JsonInteger, JsonObject, JsonValue } from "../../contract/json.ts";
import { MAX_U64, MAX_U256 } from "../../contract/largest-integers.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { SPEEDS } from "../../contract/transaction/replacement.ts";
import type { FindFlaw } from "../handlers/send-transaction.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { type Accept, fieldsOf } from "../transaction/accepted.ts";
import { kindOf } from "../transaction/lookup.ts";
import { refuseEvm } from "./evm-rules.ts";
import { oneOf, optional, type Read, ShapeError, struct, text, unexpected, whole } from "./serde.ts";
import { readSolana } from "./solana-request.ts";
import { readStellar, stellarFlaw } from "./stellar-request.ts";

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

/** Validates a body like the service, and returns it with its numbers parsed. */
export const readBody: Readonly<Record<NetworkKind, Accept>> = {
  evm: readingShape(readEvm),
  solana: readingShape(readSolana),
  stellar: readingShape(readStellar),
};

/** Returns the fields of a new transaction from its body. */
export const acceptAsService: Accept = (relayer, body, now) => {
  const kind = kindOf(relayer);
  return fieldsOf[kind](relayer, readBody[kind](relayer, body, now));
};

/**
 * Returns the error for a body that the service accepts but cannot prepare; a malformed EVM receiver shows in the
 * record itself.
 */
export const flawOf: FindFlaw = (relayer, body) => (kindOf(relayer) === "stellar" ? stellarFlaw(body) : undefined);

function readEvm(relayer: Resource, value: JsonValue, now: number): JsonObject {
  const body = readRequest(value) as JsonObject;
  refuseEvm(body, relayer, now);
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
