/** The items after which a list counts as endless: more than any service has. Their IDs take 200 MB. */
export const MOST_ITEMS = 5_000_000;

/** Which part of a list to fetch, and how (default: all of it). */
export interface ListBounds {
  page?: number;
  perPage?: number;
  /** Concurrent page requests (default: 8). */
  concurrency?: number;
  /** How many items are needed: no page beyond them is requested. */
  enough?: number;
  /** How many items make a list endless (default: 5,000,000). */
  maxItems?: number;
}

/** The service has no maximum, and large pages save requests; if refused, the smaller is used (promises 3). */
export const LARGE_PAGE = 1000;
export const SMALL_PAGE = 100;

export type NamedPage = Pick<ListBounds, "page" | "perPage">;

export function isOnePage({ page, perPage }: NamedPage): boolean {
  return page !== undefined || perPage === 0;
}

export function pageSizes({ perPage }: NamedPage): readonly [number, ...number[]] {
  return perPage === undefined ? [LARGE_PAGE, SMALL_PAGE] : [perPage];
}

export function pageQuery({ page, perPage }: NamedPage): Record<string, string> {
  return {
    ...(page !== undefined && { page: String(page) }),
    ...(perPage !== undefined && { per_page: String(perPage) }),
  };
}

export function firstPageQuery(bounds: NamedPage): Record<string, string> {
  return pageQuery(isOnePage(bounds) ? bounds : { page: 1, perPage: pageSizes(bounds)[0] });
}
