import type { JsonObject } from "../contract/json.ts";
import type { WireReply } from "../contract/wire.ts";

/** What precedes the body of a response. Header names are in lowercase. */
export type ResponseHead = Pick<WireReply, "status" | "headers" | "certificateEnds">;

export interface ApiResult<T extends JsonObject = JsonObject> {
  data: T;
  /** The response body exactly as received; after a lost response, the body of the response that proved the write. */
  body: Uint8Array;
  head?: ResponseHead;
  /** Requested fields that no response confirms: masked, in another JSON type, or never returned. */
  unconfirmed: readonly string[];
  /** Why the response to the write itself is missing, if a later read proved that the write was applied. */
  lost?: string;
}
