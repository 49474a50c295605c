import { memoryBudgetFor } from "../attempt/memory-budget.ts";
import type { Fetched } from "./fetch-page.ts";

/** How many pages may be held at the same time, as far as those that came tell what one weighs. */
export interface PageBudget {
  /** At least one. */
  most(): number;
  /** Takes note of what a page weighs, and gives it back. */
  weighed(fetched: Fetched): Fetched;
}

/** Bytes that say where an item stands in its page. */
const ITEM = 96;

/** Many small pages may be read ahead, and few large ones: their number alone bounds no memory. */
export function createPageBudget(first: Fetched, heapLimit: () => number): PageBudget {
  let heaviest = weightOf(first);
  return {
    most: () => Math.max(1, Math.floor(memoryBudgetFor(heaviest, heapLimit).pages / heaviest)),
    weighed(fetched) {
      heaviest = Math.max(heaviest, weightOf(fetched));
      return fetched;
    },
  };
}

function weightOf({ page: { body, found } }: Fetched): number {
  return body.length + ITEM * found.length;
}
