import type { JsonObject } from "../../contract/json.ts";
import { itemsWith } from "../../contract/reply/list-reply.ts";
import { RPC_URL_FIELDS, withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import type { Selection } from "../select/selection.ts";
import type { Page } from "../view.ts";

/** What was seen of a list so far. */
export interface Tally {
  /** How many items the pages held. */
  seen: number;
  /** How many of them were wanted. */
  shown: number;
  /** How many the service says there are. */
  total: number | undefined;
  /** Counts bytes that are held of the last page. */
  keep(bytes: number): void;
}

/**
 * The wanted items, page by page, with masked RPC URLs: the conditions first, then the limit, unless a sort has to see
 * everything before. No page is asked for once there is enough.
 * @param members those of an item that are looked at; all of them when absent
 */
export function wantedItems(
  pages: AsyncIterable<Page>,
  { where, sort, limit }: Selection,
  fields: readonly string[] | undefined,
  tally: Tally,
): AsyncGenerator<readonly JsonObject[]> {
  const most = sort ? Number.POSITIVE_INFINITY : limit;
  const isMasked = fields !== undefined && !RPC_URL_FIELDS.some((field) => fields.includes(field));
  const chosen = (page: Page) => {
    const items = itemsOf(page, fields);
    const shown = isMasked ? items : items.map(withMaskedRpcUrls);
    return where.length === 0 ? shown : shown.filter((item) => where.every((holds) => holds(item)));
  };
  return chosenUpTo(most, pages, chosen, tally);
}

/** A page builds all of its items when it is asked for them. */
function itemsOf(page: Page, fields: readonly string[] | undefined): readonly JsonObject[] {
  return page.found && fields ? itemsWith(page.found, fields) : page.items;
}

/** The items of each page that are chosen, until there are so many of them. */
export async function* chosenUpTo<T>(
  most: number,
  pages: AsyncIterable<Page>,
  choose: (page: Page) => readonly T[],
  tally: Tally,
): AsyncGenerator<readonly T[]> {
  for await (const page of pages) {
    const wanted = choose(page).slice(0, most - tally.shown);
    tally.seen += (page.found ?? page.items).length;
    tally.shown += wanted.length;
    tally.total = page.total;
    tally.keep = (bytes) => page.keep?.(bytes);
    yield wanted;
    if (tally.shown >= most) return;
  }
}
