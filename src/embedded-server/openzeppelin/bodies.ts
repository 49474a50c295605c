import { MAX_INT64, MAX_U32, MAX_U64, MAX_U128, MAX_U256 } from "../../contract/amount.ts";
import { base64Bytes } from "../../contract/encoding/base64.ts";
import { isJsonObject, type JsonInteger, type JsonObject, type JsonValue, NumberLiteral } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { type PolicyField, type PolicyFields, policyFields } from "../../contract/policy.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { evmStage, stellarStages, transactionSchemas } from "../../contract/requests.ts";
import { rfc3339Time } from "../../contract/rfc3339.ts";
import { SPEEDS } from "../../contract/transaction/replacement-price.ts";
import { solanaFeePayer } from "../../contract/transaction/solana-transaction.ts";
import { PRICES } from "../../contract/transaction/transaction.ts";
import { type Accept, type FindFlaw, fieldsOf } from "../handlers/send-transaction.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { servedKind } from "../transaction/lookup.ts";
import {
  type Read,
  ShapeError,
  serdeAsSent,
  serdeDigitsFault,
  serdeFits,
  serdeFlag,
  serdeInt,
  serdeList,
  serdeLoose,
  serdeOneOf,
  serdeOptional,
  serdeReading,
  serdeStruct,
  serdeText,
  serdeUnexpectedType,
} from "./serde.ts";

type Fields = Readonly<Record<string, Read<unknown>>>;

/** Reads an object with fields by its `tag`; optional fields accept null. */
function readTagged(tag: string, variants: Readonly<Record<string, Fields>>): Read<JsonObject> {
  const readTag = serdeOneOf(Object.keys(variants));
  return (value) => {
    if (!isJsonObject(value)) throw serdeUnexpectedType(value, "internally tagged enum");
    if (value[tag] === undefined) throw new ShapeError(`missing field \`${tag}\``);
    for (const [key, read] of Object.entries(variants[readTag(value[tag])] ?? {})) readField(value, key, read);
    return value;
  };
}

function readField(value: JsonObject, key: string, read: Read<unknown>): void {
  const field: JsonValue | undefined = value[key];
  if (field !== undefined) read(field);
  else if (!serdeFits(read, null)) throw new ShapeError(`missing field \`${key}\``);
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

const readHash: Read<string> = (value) => {
  if (typeof value !== "string") throw serdeUnexpectedType(value, "a hex encoded string");
  return value;
};

/** Reads an integer, or its digits in a string (facts 5.7). */
function readNumber(type: string, most: bigint): Read<JsonInteger> {
  const read = serdeInt(type, most);
  return (value) => {
    if (typeof value !== "string") return read(value);
    if (!/^[0-9]+$/.test(value) || BigInt(value) > most) throw new ShapeError("invalid digit found in string");
    return BigInt(value);
  };
}

const readAny: Read<JsonValue> = (value) => value;
const readSome: Read<JsonValue> = (value) => {
  if (value === null) throw serdeUnexpectedType(value, "a value");
  return value;
};

const memo = readTagged("type", {
  none: {},
  text: { value: serdeText },
  id: { value: readNumber("u64", MAX_U64) },
  hash: { value: readHash },
  return: { value: readHash },
});

const asset = readTagged("type", {
  native: {},
  credit4: { code: serdeText, issuer: serdeText },
  credit12: { code: serdeText, issuer: serdeText },
});

const operation = readTagged("type", {
  payment: { destination: serdeText, amount: readNumber("i64", MAX_INT64), asset },
  invoke_contract: { contract_address: serdeText, function_name: serdeText, args: serdeList(readAny), auth: readAny },
  create_contract: { source: readSome, wasm_hash: serdeText, salt: serdeOptional(serdeText), auth: readAny },
  upload_wasm: { wasm: readSome, auth: readAny },
});

const readStellarRequest = serdeLoose("StellarTransactionRequest", {
  source_account: serdeOptional(serdeText),
  network: serdeText,
  operations: serdeOptional(serdeList(operation)),
  memo: serdeOptional(memo),
  valid_until: serdeOptional(serdeText),
  transaction_xdr: serdeOptional(serdeText),
  fee_bump: serdeOptional(serdeFlag),
  max_fee: serdeOptional(serdeInt("i64", MAX_INT64)),
  signed_auth_entry: serdeOptional(serdeText),
});

/** The prefix of a stage's messages; the last stage repeats it (facts 5.7). */
const VALIDATION = "Transaction validation error: ";
const BEFORE = ["", VALIDATION, VALIDATION.repeat(2)];

/** Reads a Stellar request. Addresses, codes, and contract values are checked only when the transaction is prepared. */
function readStellar(_: Resource, value: JsonValue): JsonObject {
  const body = readStellarRequest(value) as JsonObject;
  for (const [index, stage] of stellarStages.entries()) {
    const [issue] = stage.safeParse(body).error?.issues ?? [];
    if (issue) throw new Refusal(400, `${BEFORE[index] ?? ""}${problemWords(issue.message, body)}`);
  }
  return body;
}

/** Returns the error found on preparing: addresses, codes, hex, contract values (facts 5.7), in our words. */
function stellarFlaw(value: JsonValue): string | undefined {
  const issues = transactionSchemas.stellar.safeParse(value).error?.issues ?? [];
  const issue = issues.find(({ path, code }) => PREPARED.has(path[0]) && code !== "unrecognized_keys");
  return issue && `Transaction validation error: ${issue.path.join(".")}: ${issue.message}`;
}

/** The fields checked then; an invalid `valid_until` is ignored even then, and unknown fields always are. */
const PREPARED = new Set<PropertyKey | undefined>(["source_account", "operations", "memo"]);

function problemWords(message: string, { transaction_xdr: xdr }: JsonObject): string {
  return message.startsWith("Invalid XDR") ? `Invalid XDR: ${unreadableXdr(String(xdr))}` : message;
}

const account = serdeLoose("AccountMeta", { pubkey: serdeText, is_signer: serdeFlag, is_writable: serdeFlag });
const instruction = serdeLoose("SolanaInstructionSpec", {
  program_id: serdeText,
  accounts: serdeList(account),
  data: serdeText,
});
const readSolanaRequest = serdeLoose("SolanaTransactionRequest", {
  transaction: serdeOptional(serdeText),
  instructions: serdeOptional(serdeList(instruction)),
  valid_until: serdeOptional(serdeText),
});

/** Reads a Solana request (facts 5.8), first its transaction. */
function readSolana(relayer: Resource, value: JsonValue, now: number): JsonObject {
  const body = readSolanaRequest(value) as JsonObject;
  const until = untilRule(
    body,
    now,
    "valid_until must be a valid RFC3339 timestamp",
    "valid_until cannot be in the past",
  );
  const [first] = [
    ...(until === undefined ? [] : [until]),
    ...(transactionSchemas.solana.safeParse(body).error?.issues ?? []).map(
      ({ path, message }) => `${sourceText(path.join("."))}${message}`,
    ),
    ...decodeRule(body),
    ...relayerRules.solana(body, relayer).map(({ path, rule }) => `${sourceText(path)}${rule}`),
  ];
  if (first !== undefined) throw new Refusal(400, first);
  return body;
}

function decodeRule({ transaction }: JsonObject): string[] {
  if (typeof transaction !== "string" || solanaFeePayer(transaction) !== undefined) return [];
  return ["Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file"];
}

function untilRule({ valid_until: until }: JsonObject, now: number, odd: string, past: string): string | undefined {
  if (typeof until !== "string") return undefined;
  const timestamp = rfc3339Time(until);
  if (timestamp === undefined) return odd;
  return timestamp < now ? past : undefined;
}

/** Returns `Instruction 0 account 1: ` if the path is inside an instruction. */
function sourceText(path: string): string {
  const [, index, at] = /^instructions\.([0-9]+)(?:\.accounts\.([0-9]+))?/.exec(path) ?? [];
  if (index === undefined) return "";
  return `Instruction ${index}${at === undefined ? "" : ` account ${at}`}: `;
}

type Rule = (body: JsonObject, relayer: Resource, now: number) => string | undefined;

const RULES: readonly Rule[] = [
  policyRule("to"),
  stageRule("to"),
  policyRule("gas_limit"),
  stageRule("gas_limit"),
  (body, _, now) =>
    untilRule(body, now, "Invalid validUntil datetime format", "The validUntil time cannot be in the past"),
  stageRule("speed", ...PRICES),
  policyRule("gas_price"),
];

function policyRule(field: string): Rule {
  return (body, relayer) => relayerRules.evm(body, relayer).find(({ path }) => path === field)?.rule;
}

function stageRule(...fields: readonly string[]): Rule {
  return (body) =>
    evmStage.safeParse(body).error?.issues.find(({ path: [field] }) => fields.includes(String(field)))?.message;
}

/** Reads a JSON integer up to 2^64 − 1, or a string of decimal or `0x` digits (facts 5.3). */
const u256: Read<JsonInteger> = (value) => {
  const expected = "a 32 byte hex string";
  if (typeof value === "string") {
    if (!/^(?:[0-9]+|0x[0-9a-f]+)$/i.test(value) || BigInt(value) > MAX_U256)
      throw serdeUnexpectedType(value, expected);
    return BigInt(value);
  }
  if (typeof value === "number" && value < 0) {
    throw new ShapeError(`invalid type: integer \`${value}\`, expected ${expected}`);
  }
  return serdeInt(expected, MAX_U64)(value);
};

const price = serdeOptional(serdeInt("u128", MAX_U64));

const readRequest = serdeLoose("EvmTransactionRequest", {
  to: serdeOptional(serdeText),
  value: u256,
  data: serdeOptional(serdeText),
  gas_limit: serdeOptional(serdeInt("u64", MAX_U64)),
  gas_price: price,
  speed: serdeOptional(serdeOneOf(SPEEDS)),
  max_fee_per_gas: price,
  max_priority_fee_per_gas: price,
  valid_until: serdeOptional(serdeText),
});

export const readBody: Readonly<Record<NetworkKind, Accept>> = {
  evm: readingShape(readEvm),
  solana: readingShape(readSolana),
  stellar: readingShape(readStellar),
};

export const acceptAsService: Accept = (relayer, body, now) => {
  const kind = servedKind(relayer);
  return fieldsOf[kind](relayer, readBody[kind](relayer, body, now));
};

/** Returns the error for an accepted body that can't be prepared; EVM shows it in the record. */
export const getFlaw: FindFlaw = (relayer, body) => (servedKind(relayer) === "stellar" ? stellarFlaw(body) : undefined);

function readEvm(relayer: Resource, value: JsonValue, now: number): JsonObject {
  const body = readRequest(value) as JsonObject;
  for (const rule of RULES) {
    const words = rule(body, relayer, now);
    if (words !== undefined) throw new Refusal(400, words);
  }
  return body;
}

/** Drops unknown fields silently, without checking addresses and data (facts 5.3, 5.7). */
function readingShape(read: Accept): Accept {
  return (relayer, value, now) =>
    serdeReading(
      () => read(relayer, value, now),
      ({ message }) => new Refusal(400, message),
    );
}

/** The policies in the order of the service's responses; the service reads Stellar's in another order. */
export const POLICIES: Readonly<Record<NetworkKind, readonly string[]>> = {
  evm: [
    ...["min_balance", "gas_limit_estimation", "gas_price_cap", "whitelist_receivers", "eip1559_pricing"],
    ...["private_transactions", "include_revert_data"],
  ],
  solana: Object.keys(policyFields.solana),
  stellar: [
    ...["max_fee", "timeout_seconds", "min_balance", "concurrent_transactions", "allowed_tokens"],
    ...["fee_payment_strategy", "slippage_percentage", "fee_margin_percentage", "swap_config"],
  ],
};
const READ = { ...POLICIES, stellar: [...new Set(["min_balance", ...POLICIES.stellar])] };

/** Reads a JSON integer up to 2^64 − 1, or a string of digits up to 2^128 − 1 (facts 13.11). */
const u128: Read<JsonInteger> = (value) => {
  if (typeof value !== "string") return jsonInteger(value);
  const why = serdeDigitsFault(value, MAX_U128);
  if (why !== undefined) throw new ShapeError(why);
  return BigInt(value);
};

function jsonInteger(value: JsonValue): JsonInteger {
  if ((typeof value === "number" || typeof value === "bigint") && value < 0) {
    throw new ShapeError("negative value cannot be converted to u128");
  }
  return serdeInt("a string containing a u128 number or a u128 integer", MAX_U128)(value);
}

/** Reads a number that is then written with a decimal point, like the service's (recorded, policies). */
const f32: Read<JsonValue> = (value) => {
  if (value === null || !Number.isFinite(Number(String(value))) || typeof value === "string")
    throw serdeUnexpectedType(value, "f32");
  return Number.isInteger(value) ? new NumberLiteral(`${Number(value)}.0`) : value;
};

/** The service's names of its structures, which its messages contain. */
const STRUCTS: Readonly<Record<string, string>> = {
  evm: "RelayerEvmPolicy",
  solana: "RelayerSolanaPolicy",
  "solana.allowed_tokens": "SolanaAllowedTokensPolicy",
  "solana.allowed_tokens.swap_config": "AllowedTokenSwapConfig",
  "solana.swap_config": "RelayerSolanaSwapConfig",
  "solana.swap_config.jupiter_swap_options": "JupiterSwapOptions",
  stellar: "RelayerStellarPolicy",
  "stellar.allowed_tokens": "StellarAllowedTokensPolicy",
  "stellar.allowed_tokens.swap_config": "AllowedTokenSwapConfig",
  "stellar.swap_config": "RelayerStellarSwapConfig",
};

function createStructReader(
  path: string,
  fields: PolicyFields,
  { names = Object.keys(fields), key }: { names?: readonly string[]; key?: string },
): Read<Record<string, unknown>> {
  const reads = names.flatMap((name) => {
    const field = fields[name];
    const read = field && createReader(`${path}.${name}`, field);
    return read ? [[name, name === key || field.type === "json" ? read : serdeOptional(read)]] : [];
  });
  return serdeStruct(STRUCTS[path] ?? path, Object.fromEntries(reads));
}

function createReader(path: string, field: PolicyField): Read<unknown> {
  switch (field.type) {
    case "amount":
    case "integer":
      return INTEGERS.get(field.most) ?? u128;
    case "flag":
      return serdeFlag;
    case "decimal":
      return f32;
    case "word":
      return field.words && !field.form ? serdeOneOf(field.words) : serdeText;
    case "json":
      return (value) => value;
    case "object": {
      const read = createStructReader(path, field.fields, {});
      return path.endsWith("tokens.swap_config") || !path.endsWith(".swap_config") ? read : serdeAsSent(read);
    }
    case "list":
      if (field.entry) return serdeList(createStructReader(path, field.entry.fields, { key: field.entry.key }));
      return serdeList(field.words ? serdeOneOf(field.words) : serdeText);
  }
}

const INTEGERS: ReadonlyMap<bigint, Read<unknown>> = new Map([
  [255n, serdeInt("u8", 255n)],
  [65_535n, serdeInt("u16", 65_535n)],
  [MAX_U32, serdeInt("u32", MAX_U32)],
  [MAX_U64, serdeInt("u64", MAX_U64)],
]);

/** Reads the policies of a request by the kind of the relayer's network (facts 4.3). */
export const readPolicies: Readonly<Record<NetworkKind, Read<Record<string, unknown>>>> = {
  evm: createStructReader("evm", policyFields.evm, { names: READ.evm }),
  solana: createStructReader("solana", policyFields.solana, { names: READ.solana }),
  stellar: createStructReader("stellar", policyFields.stellar, { names: READ.stellar }),
};
