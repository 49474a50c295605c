import { memoryBudgetFor } from "../attempt/memory-budget.ts";
import type { Fetched } from "./fetch-page.ts";

/** Limits how many pages may be held at the same time, by the size of the pages received so far. */
export interface PageBudget {
  /** At least one. */
  most(): number;
  /** Records the size of a page, and returns the page. */
  measured(fetched: Fetched): Fetched;
}

/** Bytes for an item's position in its page. */
const ITEM = 96;

/** Creates a page budget that allows many small pages or few large ones: a count alone does not limit memory. */
export function createPageBudget(first: Fetched, heapLimit: () => number): PageBudget {
  let heaviest = weightOf(first);
  return {
    most: () => Math.max(1, Math.floor(memoryBudgetFor(heaviest, heapLimit).pages / heaviest)),
    measured(fetched) {
      heaviest = Math.max(heaviest, weightOf(fetched));
      return fetched;
    },
  };
}

function weightOf({ page: { body, found } }: Fetched): number {
  return body.length + ITEM * found.length;
}
