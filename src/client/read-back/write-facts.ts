import type { JsonObject } from "../../contract/json.ts";

/** What the caller knows about a write besides the request. */
export interface WriteFacts {
  /** The target as read before the write, to detect a response that changed nothing. */
  before?: JsonObject | undefined;
  /**
   * Whether this client generated the ID in the body for this request: finding it proves that the request was applied.
   */
  ownId?: boolean;
}
