import type { JsonObject } from "../../contract/json.ts";
import { itemValue, type ListItem } from "../../contract/reply/list-reply.ts";

/** One page of a list as it arrived; ids seen on an earlier page are left out of a walk. */
export interface ListPage {
  /** Built when they are first asked for. */
  readonly items: readonly JsonObject[];
  /** The same items, for whoever can do without building them. */
  readonly found: readonly ListItem[];
  /** `total_items` of the reply. */
  readonly total: number | undefined;
  readonly body: Uint8Array;
  /** Counts bytes that the reader goes on holding. The walk ends with an error at the next page where they are too many. */
  keep(bytes: number): void;
}

export function listPage(
  found: readonly ListItem[],
  { total, body, keep = () => {} }: Pick<ListPage, "total" | "body"> & Partial<Pick<ListPage, "keep">>,
): ListPage {
  let built: readonly JsonObject[] | undefined;
  return {
    get items() {
      built ??= found.map(itemValue);
      return built;
    },
    found,
    total,
    body,
    keep,
  };
}
