import type { JsonObject } from "../contract/json.ts";

/** What came of a request that succeeded. */
export interface ApiResult<T extends JsonObject = JsonObject> {
  data: T;
  /** The reply's body exactly as received; after a lost answer, the body of the reply that proved the write. */
  body: Uint8Array;
  /** Asked fields that nothing confirms: masked, in another JSON type, or never returned. */
  unconfirmed: readonly string[];
  /** What came instead of an answer to the write itself, when a later read proved that it was applied. */
  lost?: string;
}
