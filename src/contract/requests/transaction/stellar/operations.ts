import { MAX_INT64 } from "../../../largest-integers.ts";
import { base64, optional, refusing } from "../../schema-parts.ts";
import * as z from "../../zod.ts";
import { contractValue } from "./contract-value.ts";
import { stellarAddress, wholeNumber } from "./fields.ts";

function code(least: number, most: number): z.ZodMiniString {
  const pattern = new RegExp(`^[A-Za-z0-9]{${least},${most}}$`);
  return z.string().check(z.regex(pattern, `${least} to ${most} letters and digits`));
}

/** facts 5.7, AssetSpec. */
const assetSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("native") }),
    z.strictObject({ type: z.literal("credit4"), code: code(1, 4), issuer: stellarAddress("G") }),
    z.strictObject({ type: z.literal("credit12"), code: code(5, 12), issuer: stellarAddress("G") }),
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
    z.strictObject({ type: z.literal("xdr"), entries: z.array(base64()) }),
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
    z.strictObject({ from: z.literal("address"), address: stellarAddress("G") }),
    z.strictObject({ from: z.literal("contract"), contract: stellarAddress("C") }),
  ],
  "from address with its address, or from contract with its contract",
);
const wasmSource = z.union(
  [z.strictObject({ hex }), z.strictObject({ base64: base64() })],
  "the code as hex or as base64",
);

/** facts 5.7, OperationSpec. */
export const operationSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: z.literal("payment"),
      destination: stellarAddress("G", "M"),
      amount: wholeNumber(MAX_INT64, "stroops"),
      asset: assetSchema,
    }),
    z.strictObject({
      type: z.literal("invoke_contract"),
      contract_address: stellarAddress("C"),
      function_name: symbol,
      args: z.array(contractValue, "a list of values"),
      auth: optional(authSchema),
    }),
    z.strictObject({
      type: z.literal("create_contract"),
      source: contractSource,
      wasm_hash: hash,
      salt: optional(hash),
      constructor_args: optional(z.array(contractValue, "a list of values")),
      auth: optional(authSchema),
    }),
    z.strictObject({ type: z.literal("upload_wasm"), wasm: wasmSource, auth: optional(authSchema) }),
  ],
  "one of payment, invoke_contract, create_contract, upload_wasm",
);

/** Returns whether an operation is on a contract: it must be the only one in its transaction (facts 5.7). */
function isSoroban({ type }: z.infer<typeof operationSchema>): boolean {
  return type !== "payment";
}

export const operationsSchema = z.array(operationSchema, "a list of operations");

interface Body {
  operations?: z.infer<typeof operationsSchema> | null;
  memo?: { type: string } | null;
}

/** The maximum number of operations (facts 5.7). */
const MOST = 100;

/** The rules of a list of operations, in the service's words and order. */
export const operationsRules = [
  refusing<Body>(
    "operations",
    (body) => `Transaction has ${countItems(body)} operations, but maximum allowed is ${MOST}`,
    (body) => countItems(body) > MOST,
  ),
  refusing<Body>("operations", "Transaction can contain at most one Soroban operation", (body) => sorobanIn(body) > 1),
  refusing<Body>(
    "operations",
    "Soroban operations must be exclusive - no other operations allowed in the same transaction",
    (body) => sorobanIn(body) === 1 && countItems(body) > 1,
  ),
  refusing<Body>(
    "memo",
    "Soroban operations cannot have a memo (except MemoNone)",
    (body) => sorobanIn(body) > 0 && (body.memo ?? { type: "none" }).type !== "none",
  ),
];

function countItems({ operations }: Body): number {
  return operations?.length ?? 0;
}

function sorobanIn({ operations }: Body): number {
  return operations?.filter(isSoroban).length ?? 0;
}
