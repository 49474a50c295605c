import type { JsonObject } from "../../contract/json.ts";
import { itemValue, type ListItem } from "../../contract/reply/list-reply.ts";

/** One page of a list: the body as received, and the items that are not on an earlier page. */
export interface ListPage {
  /** The items, built on first access. */
  readonly items: readonly JsonObject[];
  /** The same items, not built. */
  readonly found: readonly ListItem[];
  /** `total_items` of the response. */
  readonly total: number | undefined;
  readonly body: Uint8Array;
  /**
   * Gives the memory of the body back, once neither it nor an item is read anymore; values that were built stay. Absent
   * if it is ordinary memory; otherwise the reader may also overwrite it.
   */
  release?(): void;
  /** Counts bytes that the reader keeps. Pagination fails at the next page if they exceed the limit. */
  keep(bytes: number): void;
}

export function listPage(
  found: readonly ListItem[],
  { total, body, release }: Pick<ListPage, "total" | "body" | "release">,
  keep: ListPage["keep"] = () => {},
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
    ...(release && { release }),
  };
}
