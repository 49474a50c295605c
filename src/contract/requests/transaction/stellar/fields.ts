import { MAX_U64 } from "../../../amount.ts";
import { base64Bytes } from "../../../encoding/base64.ts";
import { type StrkeyKind, strkeyProblem } from "../../../encoding/strkey.ts";
import { isJsonInteger } from "../../../json.ts";
import { int64, intSchema, problemSchemaCheck, refuseIf } from "../../schema-parts.ts";
import * as z from "../../zod.ts";

/** The envelope types of Stellar's `TransactionEnvelope` union (Stellar-ledger-entries.x, `EnvelopeType`). */
const ENVELOPE = { v0: 0, v1: 2, feeBump: 5 };

export const INVALID_XDR = "Invalid XDR: no transaction envelope in base64";

/** Returns whether a Stellar envelope is signed: the list at its end is not empty. Undefined for no envelope. */
export function isSignedXdr(base64: string): boolean | undefined {
  const bytes = base64Bytes(base64);
  if (!bytes || bytes.length < 8 || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer);
  if (!Object.values(ENVELOPE).includes(view.getUint32(0))) return undefined;
  return view.getUint32(bytes.length - 4) !== 0;
}

const bytes32 = z.array(intSchema(0n, 255n)).check(z.length(32, "32 integers from 0 to 255"));
/** At most 28 bytes. */
const memoText = z
  .string()
  .check(z.refine((value) => new TextEncoder().encode(value).length <= 28, "at most 28 bytes of UTF-8"));

function createMemo<Id extends z.ZodMiniType, Hash extends z.ZodMiniType>(id: Id, hash: Hash) {
  return z.discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("none") }),
      z.strictObject({ type: z.literal("text"), value: memoText }),
      z.strictObject({ type: z.literal("id"), value: id }),
      z.strictObject({ type: z.literal("hash"), value: hash }),
      z.strictObject({ type: z.literal("return"), value: hash }),
    ],
    "one of none, text, id, hash, return with its value",
  );
}

export const memoSchema = createMemo(int64, bytes32);

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/i, "64 hex digits in one text"));

/** facts 5.7, MemoSpec: an ID of 64 bits, and a hash in hex, where a replacement has 32 integers (interface 3.4). */
export const transactionMemoSchema = createMemo(stellarNumberField(MAX_U64), hash);

export function stellarAddressField(...kinds: readonly StrkeyKind[]): z.ZodMiniString {
  return z.string().check(problemSchemaCheck((text) => strkeyProblem(text, kinds)));
}

/** Accepts a whole number of up to 64 bits, as an integer or as a string of digits (facts 5.7). */
export function stellarNumberField(most: bigint, unit?: string): z.ZodMiniType<string | number | bigint> {
  const isWhole = (value: unknown) => isJsonInteger(value) || (typeof value === "string" && /^[0-9]+$/.test(value));
  return z.custom<string | number | bigint>(
    (value) => isWhole(value) && BigInt(value as string) >= 0n && BigInt(value as string) <= most,
    `a whole number ${unit ? `of ${unit} ` : ""}from 0 to ${most}`,
  );
}

export const xdrText = z.string().check(z.minLength(1, "base64 of a transaction"));

/** The service parses the envelope after checking the other fields (facts 5.7). */
export const validXdr = refuseIf<{ transaction_xdr?: string | null }>(
  "transaction_xdr",
  INVALID_XDR,
  ({ transaction_xdr: xdr }) => typeof xdr === "string" && isSignedXdr(xdr) === undefined,
);
