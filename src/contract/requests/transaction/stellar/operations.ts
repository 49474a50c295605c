import { MAX_INT64 } from "../../../amount.ts";
import { isJsonInteger, isJsonObject, type JsonValue } from "../../../json.ts";
import { base64Schema, optionalSchema, refuseIf } from "../../schema-parts.ts";
import * as z from "../../zod.ts";
import { stellarAddressField, stellarNumberField } from "./fields.ts";

interface Wrong {
  path: string[];
  rule: string;
}
type Validator = (value: JsonValue) => Wrong | undefined;

const FORM = 'a contract value, e.g. {"u64":"123"} or {"symbol":"transfer"}';

/** The lower three quarters of 256 bits. */
const LOW = { hi_lo: unsignedInteger(64), lo_hi: unsignedInteger(64), lo_lo: unsignedInteger(64) };

/** The content of each variant of a contract's value (Stellar-contract.x, `SCVal`), as the service's JSON has it. */
const VARIANTS: Readonly<Record<string, Validator>> = {
  bool: leaf((value) => typeof value === "boolean", "true or false"),
  u32: leaf((value) => isJsonInteger(value) && isUnsigned(value, 32), "a whole number of 32 bits, without quotes"),
  i32: leaf((value) => isJsonInteger(value) && isSigned(value, 32), "a whole number of 32 bits, without quotes"),
  u64: unsignedInteger(64),
  i64: signedInteger(64),
  timepoint: unsignedInteger(64),
  duration: unsignedInteger(64),
  u128: inParts(unsignedInteger(128), { hi: unsignedInteger(64), lo: unsignedInteger(64) }),
  i128: inParts(signedInteger(128), { hi: signedInteger(64), lo: unsignedInteger(64) }),
  u256: inParts(unsignedInteger(256), { hi_hi: unsignedInteger(64), ...LOW }),
  i256: inParts(signedInteger(256), { hi_hi: signedInteger(64), ...LOW }),
  bytes: textLike(/^(?:[0-9a-f]{2})*$/i, "hex digits, without 0x"),
  string: textLike(/^/, "a text"),
  symbol: textLike(/^\w{0,32}$/, "at most 32 letters, digits and underscores"),
  address: textLike(/^[A-Z][A-Z2-7]{55,}$/, "an address, e.g. G… or C…"),
  vec: createList(wrongIn),
  map: createList(fieldsValidator({ key: wrongIn, val: wrongIn })),
  ledger_key_nonce: fieldsValidator({ nonce: signedInteger(64) }),
  // An error has many forms, and only its contract can interpret it.
  error: () => undefined,
  contract_instance: leaf(isJsonObject, "an object"),
};
/** Variants without content, which are words. */
const WORDS = ["void", "ledger_key_contract_instance"];

/** A contract value (facts 5.7, ScVal): one field, e.g. `{"u64":"123"}`; the issue is at the first invalid level. */
const contractValue = z.custom<JsonValue>().check(
  z.superRefine((value: JsonValue, context) => {
    const wrong = wrongIn(value);
    if (wrong) context.addIssue({ code: "custom", path: wrong.path, message: wrong.rule });
  }),
);

function wrongIn(value: JsonValue): Wrong | undefined {
  if (typeof value === "string" && WORDS.includes(value)) return undefined;
  const [[variant, held] = ["", null], ...more] = isJsonObject(value) ? Object.entries(value) : [];
  const validate = more.length === 0 && Object.hasOwn(VARIANTS, variant) ? VARIANTS[variant] : undefined;
  return validate ? wrongWithin(variant, validate(held)) : { path: [], rule: FORM };
}

function wrongWithin(field: string, wrong: Wrong | undefined): Wrong | undefined {
  return wrong && { ...wrong, path: [field, ...wrong.path] };
}

function leaf(isRight: (value: JsonValue) => boolean, rule: string): Validator {
  return (value) => (isRight(value) ? undefined : { path: [], rule });
}

/** Accepts an integer or its digits in a string: values of 64 bits and more may be either (facts 5.7). */
function unsignedInteger(bits: number): Validator {
  return leaf((value) => isWhole(value) && isUnsigned(value, bits), `a whole number of ${bits} bits, 0 or more`);
}

function signedInteger(bits: number): Validator {
  return leaf((value) => isWhole(value) && isSigned(value, bits), `a whole number of ${bits} bits`);
}

function isWhole(value: JsonValue): value is string | number | bigint {
  return isJsonInteger(value) || (typeof value === "string" && /^-?[0-9]+$/.test(value));
}

function isUnsigned(value: string | number | bigint, bits: number): boolean {
  return BigInt.asUintN(bits, BigInt(value)) === BigInt(value);
}

function isSigned(value: string | number | bigint, bits: number): boolean {
  return BigInt.asIntN(bits, BigInt(value)) === BigInt(value);
}

function inParts(whole: Validator, parts: Readonly<Record<string, Validator>>): Validator {
  const validateParts = fieldsValidator(parts);
  return (value) => (isJsonObject(value) ? validateParts(value) : whole(value));
}

function textLike(form: RegExp, rule: string): Validator {
  return leaf((value) => typeof value === "string" && form.test(value), rule);
}

function createList(validate: Validator): Validator {
  return (value) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) return { path: [], rule: "a list" };
    return value.map((item, index) => wrongWithin(String(index), validate(item))).find((wrong) => wrong !== undefined);
  };
}

function fieldsValidator(validates: Readonly<Record<string, Validator>>): Validator {
  const names = Object.keys(validates);
  return (value) => {
    const fits = isJsonObject(value) && Object.keys(value).length === names.length;
    if (!fits || !names.every((name) => name in value)) return { path: [], rule: `needs only ${names.join(", ")}` };
    const found = Object.entries(validates).map(([name, validate]) => wrongWithin(name, validate(value[name] ?? null)));
    return found.find((wrong) => wrong !== undefined);
  };
}

function assetCode(least: number, most: number): z.ZodMiniString {
  const pattern = new RegExp(`^[A-Za-z0-9]{${least},${most}}$`);
  return z.string().check(z.regex(pattern, `${least} to ${most} letters and digits`));
}

/** facts 5.7, AssetSpec. */
const assetSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("native") }),
    z.strictObject({ type: z.literal("credit4"), code: assetCode(1, 4), issuer: stellarAddressField("G") }),
    z.strictObject({ type: z.literal("credit12"), code: assetCode(5, 12), issuer: stellarAddressField("G") }),
  ],
  "one of native, credit4, credit12 with its code and issuer",
);

/** facts 5.7, AuthSpec: without it the source account authorizes. */
const authSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("none") }),
    z.strictObject({ type: z.literal("source_account") }),
    z
      .strictObject({ type: z.literal("addresses"), signers: z.array(z.string()) })
      .check(z.refine(() => false, { path: ["type"], error: "Address-based auth not yet implemented" })),
    z.strictObject({ type: z.literal("xdr"), entries: z.array(base64Schema()) }),
  ],
  "one of none, source_account, xdr with its entries",
);

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/i, "64 hex digits, without 0x"));
const hex = z.string().check(z.regex(/^(?:[0-9a-f]{2})+$/i, "hex digits, without 0x"));
/** A Soroban symbol: at most 32 characters. */
const symbol = z.string().check(z.regex(/^\w{1,32}$/, "1 to 32 letters, digits and underscores"));

const contractSource = z.discriminatedUnion(
  "from",
  [
    z.strictObject({ from: z.literal("address"), address: stellarAddressField("G") }),
    z.strictObject({ from: z.literal("contract"), contract: stellarAddressField("C") }),
  ],
  "from address with its address, or from contract with its contract",
);
const wasmSource = z.union(
  [z.strictObject({ hex }), z.strictObject({ base64: base64Schema() })],
  "the code as hex or as base64",
);

/** facts 5.7, OperationSpec. */
export const operationSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: z.literal("payment"),
      destination: stellarAddressField("G", "M"),
      amount: stellarNumberField(MAX_INT64, "stroops"),
      asset: assetSchema,
    }),
    z.strictObject({
      type: z.literal("invoke_contract"),
      contract_address: stellarAddressField("C"),
      function_name: symbol,
      args: z.array(contractValue, "a list of values"),
      auth: optionalSchema(authSchema),
    }),
    z.strictObject({
      type: z.literal("create_contract"),
      source: contractSource,
      wasm_hash: hash,
      salt: optionalSchema(hash),
      constructor_args: optionalSchema(z.array(contractValue, "a list of values")),
      auth: optionalSchema(authSchema),
    }),
    z.strictObject({ type: z.literal("upload_wasm"), wasm: wasmSource, auth: optionalSchema(authSchema) }),
  ],
  "one of payment, invoke_contract, create_contract, upload_wasm",
);

export const operationsSchema = z.array(operationSchema, "a list of operations");

interface Body {
  operations?: z.infer<typeof operationsSchema> | null;
  memo?: { type: string } | null;
}

/** The maximum number of operations (facts 5.7). */
const MOST = 100;

/** The rules of a list of operations, in the service's words and order. */
export const operationsRules = [
  refuseIf<Body>(
    "operations",
    (body) => `Transaction has ${countItems(body)} operations, but maximum allowed is ${MOST}`,
    (body) => countItems(body) > MOST,
  ),
  refuseIf<Body>("operations", "Transaction can contain at most one Soroban operation", (body) => sorobanIn(body) > 1),
  refuseIf<Body>(
    "operations",
    "Soroban operations must be exclusive - no other operations allowed in the same transaction",
    (body) => sorobanIn(body) === 1 && countItems(body) > 1,
  ),
  refuseIf<Body>(
    "memo",
    "Soroban operations cannot have a memo (except MemoNone)",
    (body) => sorobanIn(body) > 0 && (body.memo ?? { type: "none" }).type !== "none",
  ),
];

function countItems({ operations }: Body): number {
  return operations?.length ?? 0;
}

function sorobanIn({ operations }: Body): number {
  return operations?.filter(({ type }) => type !== "payment").length ?? 0;
}
