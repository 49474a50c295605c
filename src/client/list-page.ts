import type { JsonObject } from "../contract/json.ts";

/** One page of a list as it arrived; ids seen on an earlier page are left out of a walk. */
export interface ListPage {
  items: readonly JsonObject[];
  /** `total_items` of the reply. */
  total: number | undefined;
  body: Uint8Array;
}
