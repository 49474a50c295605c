import * as z from "zod/mini";
import { MAX_U64 } from "../../../limits.ts";
import { memoText } from "../../replacement/memo.ts";
import { wholeNumber } from "./whole-number.ts";

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
