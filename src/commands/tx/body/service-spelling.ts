import { isJsonInteger, type JsonObject } from "../../../contract/json.ts";
import { memoInHex } from "../../../contract/spelling.ts";

/** Returns a body with `value` as digits, which any service parses, and a memo's hash in hex (facts 5.3, 5.7). */
export function inServiceSpelling(body: JsonObject): JsonObject {
  const { value } = body;
  const memo = memoInHex(body.memo);
  return { ...body, ...(isJsonInteger(value) && { value: String(value) }), ...(memo && { memo }) };
}
