import type { JsonObject } from "../../contract/json.ts";

/**
 * Returns the fields of a transaction that does nothing: it sends nothing to its own sender (facts 5.1, recorded at
 * 5.5).
 */
export function noopFields({ from }: JsonObject): JsonObject {
  return { to: from ?? null, value: "0", data: "0x", gas_limit: 21_000, speed: "fast" };
}
