import type { Fetched } from "./fetch-page.ts";

/** What the pages that are held or under way may weigh together, in bytes. */
const BUDGET = 64 * 2 ** 20;

/** How many pages may be held at the same time, as far as those that came tell what one weighs. */
export interface PageBudget {
  /** At least one. */
  most(): number;
  /** Takes note of what a page weighs, and gives it back. */
  weighed(fetched: Fetched): Fetched;
}

/** Many small pages may be read ahead, and few large ones: their number alone bounds no memory. */
export function createPageBudget(first: Fetched): PageBudget {
  let heaviest = first.page.body.length;
  return {
    most: () => Math.max(1, Math.floor(BUDGET / heaviest)),
    weighed(fetched) {
      heaviest = Math.max(heaviest, fetched.page.body.length);
      return fetched;
    },
  };
}
