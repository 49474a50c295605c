import type { JsonObject } from "../../contract/json.ts";

/** What the caller knows of a write besides the request. */
export interface WriteFacts {
  /** The thing as it was read before, to tell a reply that changed nothing. */
  before?: JsonObject | undefined;
  /** The id in the body was made by this client for this request: finding it proves that the request was applied. */
  ownId?: boolean;
}
