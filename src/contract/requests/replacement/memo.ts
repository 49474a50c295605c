import * as z from "zod/mini";
import { int64, integer } from "../integer.ts";

const bytes32 = z.array(integer(0n, 255n)).check(z.length(32, "32 integers from 0 to 255"));
/** At most 28 bytes. */
export const memoText = z
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
