import { base64Bytes } from "../../contract/encoding/base64.ts";
import { isJsonObject, type JsonInteger, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { MAX_INT64, MAX_U64 } from "../../contract/largest-integers.ts";
import { stellarStages, transactionSchemas } from "../../contract/requests.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import {
  fits,
  flag,
  listOf,
  oneOf,
  optional,
  type Read,
  ShapeError,
  struct,
  text,
  unexpected,
  whole,
} from "./serde.ts";

type Fields = Readonly<Record<string, Read<unknown>>>;

/** Reads an object whose other fields depend on its `tag`; optional fields accept null. */
function tagged(tag: string, variants: Readonly<Record<string, Fields>>): Read<JsonObject> {
  const readTag = oneOf(Object.keys(variants));
  return (value) => {
    if (!isJsonObject(value)) throw unexpected(value, "internally tagged enum");
    if (value[tag] === undefined) throw new ShapeError(`missing field \`${tag}\``);
    for (const [key, read] of Object.entries(variants[readTag(value[tag])] ?? {})) readField(value, key, read);
    return value;
  };
}

function readField(value: JsonObject, key: string, read: Read<unknown>): void {
  const field: JsonValue | undefined = value[key];
  if (field !== undefined) read(field);
  else if (!fits(read, null)) throw new ShapeError(`missing field \`${key}\``);
}

const BYTES_OF_TYPE = 4;
/** The highest envelope type (Stellar-ledger-entries.x, `EnvelopeType`). */
const LAST_TYPE = 10;

/** Returns why the service's XDR parser cannot read a text, in its words where they were recorded. */
function unreadableXdr(text: string): string {
  const at = text.search(/[^A-Za-z0-9+/=]/);
  if (at >= 0) return `Invalid byte ${text.codePointAt(at)}, offset ${at}.`;
  const bytes = base64Bytes(text);
  if (!bytes) return "Encoded text cannot have a 6-bit remainder.";
  const type = bytes.length < BYTES_OF_TYPE ? 0 : new DataView(bytes.buffer).getUint32(0);
  return type > LAST_TYPE ? "xdr value invalid" : "failed to fill whole buffer";
}

/** Reads 32 bytes. */
const hash: Read<string> = (value) => {
  if (typeof value !== "string") throw unexpected(value, "a hex encoded string");
  return value;
};

/** Reads an integer, or its digits in a string (facts 5.7). */
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

/** The prefix of a stage's messages; the last stage repeats it (facts 5.7). */
const VALIDATION = "Transaction validation error: ";
const BEFORE = ["", VALIDATION, VALIDATION.repeat(2)];

/** Reads a Stellar request. Addresses, codes, and contract values are checked only when the transaction is prepared. */
export function readStellar(_: Resource, value: JsonValue): JsonObject {
  const body = readRequest(value) as JsonObject;
  for (const [index, stage] of stellarStages.entries()) {
    const [issue] = stage.safeParse(body).error?.issues ?? [];
    if (issue) throw new Refusal(400, `${BEFORE[index] ?? ""}${formatWords(issue.message, body)}`);
  }
  return body;
}

/** Returns the error found on preparing: addresses, codes, hex, contract values (facts 5.7), in our words. */
export function stellarFlaw(value: JsonValue): string | undefined {
  const issues = transactionSchemas.stellar.safeParse(value).error?.issues ?? [];
  const issue = issues.find(({ path, code }) => PREPARED.has(path[0]) && code !== "unrecognized_keys");
  return issue && `Transaction validation error: ${issue.path.join(".")}: ${issue.message}`;
}

/** The fields that are checked then; an invalid `valid_until` is ignored even then, and unknown fields always are. */
const PREPARED = new Set<PropertyKey | undefined>(["source_account", "operations", "memo"]);

function formatWords(message: string, { transaction_xdr: xdr }: JsonObject): string {
  return message.startsWith("Invalid XDR") ? `Invalid XDR: ${unreadableXdr(String(xdr))}` : message;
}
