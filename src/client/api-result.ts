import type { JsonObject } from "../contract/json.ts";

/** The result of a request that succeeded. */
export interface ApiResult<T extends JsonObject = JsonObject> {
  data: T;
  /** The response body exactly as received; after a lost response, the body of the response that proved the write. */
  body: Uint8Array;
  /** Requested fields that no response confirms: masked, in another JSON type, or never returned. */
  unconfirmed: readonly string[];
  /** The headers of the response, with names in lowercase, if it is not a resource. */
  headers?: Readonly<Record<string, string>>;
  /** Why the response to the write itself is missing, if a later read proved that the write was applied. */
  lost?: string;
}
