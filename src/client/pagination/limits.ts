import type { RelayctlError } from "../../errors.ts";
import { MOST_HELD, roomIn } from "../attempt/memory-budget.ts";
import type { ClientContext } from "../client-context.ts";
import { type ListProgress, tooLong } from "./end.ts";
import { SMALL_PAGE } from "./page-query.ts";

/** More items than any service has; their IDs alone take 200 MB. */
const MOST_ITEMS = 5_000_000;
const PAGES_AT_LEAST = 10_000;

/** Bytes that fit into any heap. */
const ALWAYS_FIT = 2 ** 23;

/** The amount that one pagination has read and holds. */
interface Load {
  items: number;
  pages: number;
  /** Bytes of the seen IDs. */
  ids: number;
  /** Bytes that the reader of the pages keeps. */
  kept: number;
}

/** Limits for a list that never ends. */
export interface PaginationLimits {
  /** Returns the error for an exceeded limit, or undefined. */
  broken(load: Load, progress: ListProgress): RelayctlError | undefined;
}

export function createPaginationLimits(
  { heapLimit }: Pick<ClientContext, "heapLimit">,
  { maxItems = MOST_ITEMS, perPage = SMALL_PAGE }: { maxItems?: number; perPage?: number },
): PaginationLimits {
  const mostPages = Math.max(PAGES_AT_LEAST, Math.ceil(maxItems / Math.min(SMALL_PAGE, perPage)));
  return {
    broken({ items, pages, ids, kept }, progress) {
      if (items > maxItems) return tooLong("items", maxItems, progress);
      if (pages > mostPages) return tooLong("pages", mostPages, progress);
      const most = kept <= ALWAYS_FIT ? MOST_HELD : roomIn(heapLimit()).held;
      return kept > most || kept + ids > MOST_HELD ? tooLong("memory", most, progress) : undefined;
    },
  };
}
