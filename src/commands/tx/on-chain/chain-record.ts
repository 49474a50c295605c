import type { JsonObject } from "../../../contract/json.ts";

/** What a node says of a hash. */
export interface ChainRecord {
  state: "unknown" | "waiting" | "mined";
  /** It was mined, and what it asked for was not done. */
  failed?: boolean;
  /** Where it was mined: `block 7`. */
  place?: string;
  /** What the node tells of the transaction, under the names that the service's record has. */
  fields: JsonObject;
}
