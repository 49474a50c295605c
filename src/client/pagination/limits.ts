import type { RelayctlError } from "../../errors.ts";
import { MOST_HELD, roomIn } from "../attempt/memory-budget.ts";
import type { ClientContext } from "../client-context.ts";
import { type Came, tooLong } from "./end.ts";

/** More items than any service has; their ids alone take 200 MB. */
export const MOST_ITEMS = 5_000_000;
/** Pages of fewer items are not usual: so many pages are enough for that many items. */
const SMALL_PAGE = 100;
const PAGES_AT_LEAST = 10_000;

/** So many bytes fit into any heap. */
const ALWAYS_FIT = 2 ** 23;

/** What one walk has read and holds so far. */
export interface Load {
  items: number;
  pages: number;
  /** Bytes of the ids that were seen. */
  ids: number;
  /** Bytes that the reader of the pages keeps. */
  kept: number;
}

/** What ends a walk over a list that does not end by itself. */
export interface PaginationLimits {
  /** The error for what is more than may be read or held; nothing while it is not. */
  broken(load: Load, came: Came): RelayctlError | undefined;
}

export function createPaginationLimits(
  { heapLimit }: Pick<ClientContext, "heapLimit">,
  { maxItems = MOST_ITEMS, perPage = SMALL_PAGE }: { maxItems?: number; perPage?: number },
): PaginationLimits {
  const mostPages = Math.max(PAGES_AT_LEAST, Math.ceil(maxItems / Math.min(SMALL_PAGE, perPage)));
  return {
    broken({ items, pages, ids, kept }, came) {
      if (items > maxItems) return tooLong("items", maxItems, came);
      if (pages > mostPages) return tooLong("pages", mostPages, came);
      const most = kept <= ALWAYS_FIT ? MOST_HELD : roomIn(heapLimit()).held;
      return kept > most || kept + ids > MOST_HELD ? tooLong("memory", most, came) : undefined;
    },
  };
}
