import { MAX_U64 } from "../largest-integers.ts";
import { int64, integer } from "./schema-parts.ts";
import { wholeNumber } from "./transaction/stellar/fields.ts";
import * as z from "./zod.ts";

const bytes32 = z.array(integer(0n, 255n)).check(z.length(32, "32 integers from 0 to 255"));
/** At most 28 bytes. */
const memoText = z
  .string()
  .check(z.refine((value) => new TextEncoder().encode(value).length <= 28, "at most 28 bytes of UTF-8"));

export const memoSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("none") }),
    z.strictObject({ type: z.literal("text"), value: memoText }),
    z.strictObject({ type: z.literal("id"), value: int64 }),
    z.strictObject({ type: z.literal("hash"), value: bytes32 }),
    z.strictObject({ type: z.literal("return"), value: bytes32 }),
  ],
  "one of none, text, id, hash, return with its value",
);

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/i, "64 hex digits in one text"));

/** facts 5.7, MemoSpec: an ID of 64 bits, and a hash in hex, where a replacement has 32 integers (interface 3.4). */
export const transactionMemoSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("none") }),
    z.strictObject({ type: z.literal("text"), value: memoText }),
    z.strictObject({ type: z.literal("id"), value: wholeNumber(MAX_U64) }),
    z.strictObject({ type: z.literal("hash"), value: hash }),
    z.strictObject({ type: z.literal("return"), value: hash }),
  ],
  "one of none, text, id, hash, return with its value",
);
