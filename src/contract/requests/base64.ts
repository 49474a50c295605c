import * as z from "zod/mini";
import { base64Bytes } from "../encoding/base64.ts";

/** Accepts base64 of at least one byte. */
export function base64(rule = "base64"): z.ZodMiniString {
  return z.string().check(z.refine((text) => text !== "" && base64Bytes(text) !== undefined, rule));
}
