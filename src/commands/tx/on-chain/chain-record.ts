import type { JsonObject } from "../../../contract/json.ts";

/** A node's data for a hash. */
export interface ChainRecord {
  state: "unknown" | "waiting" | "mined";
  /** Set if it was mined, but its execution failed. */
  failed?: boolean;
  /** Where it was mined: `block 7`. */
  place?: string;
  /** The node's data about the transaction, with the field names of the service's record. */
  fields: JsonObject;
}
