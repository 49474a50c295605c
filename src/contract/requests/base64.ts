import * as z from "zod/mini";
import { base64Bytes } from "../encoding/base64.ts";

/** Base64 of something, at least one byte of it. */
export function base64(rule = "base64"): z.ZodMiniString {
  return z.string().check(z.refine((text) => text !== "" && base64Bytes(text) !== undefined, rule));
}
