import type { JsonObject } from "../../contract/json.ts";

/** What turns a transaction into one that does nothing: nothing is sent to itself (facts 5.1, recorded at 5.5). */
export function noopFields({ from }: JsonObject): JsonObject {
  return { to: from ?? null, value: "0", data: "0x", gas_limit: 21_000, speed: "fast" };
}
