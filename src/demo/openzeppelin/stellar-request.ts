import type { JsonInteger, JsonObject, JsonValue } from "../../contract/json.ts";
import { MAX_INT64, MAX_U64 } from "../../contract/limits.ts";
import { stellarStages } from "../../contract/requests.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { flag, listOf, optional, type Read, ShapeError, struct, text, unexpected, whole } from "./serde.ts";
import { tagged } from "./serde-tagged.ts";

/** 32 bytes. */
const hash: Read<string> = (value) => {
  if (typeof value !== "string") throw unexpected(value, "a hex encoded string");
  return value;
};

/** An integer, or its digits in a text (service-facts 5.7). */
function number(type: string, most: bigint): Read<JsonInteger> {
  const read = whole(type, most);
  return (value) => {
    if (typeof value !== "string") return read(value);
    if (!/^[0-9]+$/.test(value) || BigInt(value) > most) throw new ShapeError("invalid digit found in string");
    return BigInt(value);
  };
}

const anything: Read<JsonValue> = (value) => value;
const something: Read<JsonValue> = (value) => {
  if (value === null) throw unexpected(value, "a value");
  return value;
};

const memo = tagged("type", {
  none: {},
  text: { value: text },
  id: { value: number("u64", MAX_U64) },
  hash: { value: hash },
  return: { value: hash },
});

const asset = tagged("type", {
  native: {},
  credit4: { code: text, issuer: text },
  credit12: { code: text, issuer: text },
});

const operation = tagged("type", {
  payment: { destination: text, amount: number("i64", MAX_INT64), asset },
  invoke_contract: { contract_address: text, function_name: text, args: listOf(anything), auth: anything },
  create_contract: { source: something, wasm_hash: text, salt: optional(text), auth: anything },
  upload_wasm: { wasm: something, auth: anything },
});

const readRequest = struct(
  "StellarTransactionRequest",
  {
    source_account: optional(text),
    network: text,
    operations: optional(listOf(operation)),
    memo: optional(memo),
    valid_until: optional(text),
    transaction_xdr: optional(text),
    fee_bump: optional(flag),
    max_fee: optional(whole("i64", MAX_INT64)),
    signed_auth_entry: optional(text),
  },
  { required: ["network"], strict: false },
);

/** Before what a stage says; the last one says it twice (service-facts 5.7). */
const VALIDATION = "Transaction validation error: ";
const BEFORE = ["", VALIDATION, VALIDATION.repeat(2)];

/** Addresses, codes and the values of contracts are looked at later, when the transaction is prepared. */
export function readStellar(_: Resource, value: JsonValue): JsonObject {
  const body = readRequest(value) as JsonObject;
  for (const [index, stage] of stellarStages.entries()) {
    const [issue] = stage.safeParse(body).error?.issues ?? [];
    if (issue) throw new Refusal(400, `${BEFORE[index] ?? ""}${wordsOf(issue.message)}`);
  }
  return body;
}

/** How its reader of XDR tells that the bytes end too early: what is recorded of bytes that are no envelope. */
function wordsOf(message: string): string {
  return message.startsWith("Invalid XDR") ? "Invalid XDR: failed to fill whole buffer" : message;
}
