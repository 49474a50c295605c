import { isJsonInteger, isJsonObject } from "../json.ts";
import { MAX_INT64 } from "../largest-integers.ts";
import * as z from "./zod.ts";

/** facts 3.3, with the words of its rules. The service adds `jsonrpc` and `id`. */
export const jsonRpcSchema = z.looseObject({
  jsonrpc: z.exactOptional(z.string()),
  id: z.exactOptional(z.custom(isId, "Invalid 'id' field: must be a string, integer, or null")),
  method: z.string("Missing 'method' field").check(z.minLength(1, "Missing 'method' field")),
  params: z.exactOptional(
    z.custom((value) => value === null || Array.isArray(value) || isJsonObject(value), "a list or an object"),
  ),
});

function isId(value: unknown): boolean {
  if (value === null || typeof value === "string") return true;
  return isJsonInteger(value) && BigInt(value) >= -MAX_INT64 - 1n && BigInt(value) <= MAX_INT64;
}
