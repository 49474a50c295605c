import { listItemsOf } from "../../contract/reply/list-reply.ts";
import { ndjsonBytes } from "../formats/ndjson.ts";
import type { OutputFormat } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import type { Selection } from "../select/selection.ts";
import type { ListView, Page } from "../view.ts";
import { chosenUpTo, type Tally } from "./reading.ts";

/**
 * Returns whether every item is copied unchanged to a line, without a filter or selection: then it need not be built.
 */
export function isCopied(
  format: OutputFormat,
  { where, sort, query, fields }: Selection,
  { stdout }: Printer,
): boolean {
  return format === "ndjson" && where.length === 0 && !sort && !query && !fields && !stdout.isTerminal;
}

/** The number of items above which memory matters more than time. */
const VERY_MANY = 200_000;

/** Writes the items of each page as ndjson lines when it arrives. */
export async function copyLines(listing: { view: ListView; selection: Selection; tally: Tally; out: Printer }) {
  const { view, selection, tally, out } = listing;
  const harmless = new Set<string>();
  const found = (page: Page) => [page.found ?? listItemsOf(page.items)];
  for await (const { items, isLent } of chosenUpTo(selection.limit, view.pages, tally, found)) {
    if ((tally.total ?? 0) > VERY_MANY) out.manyPass?.();
    await out.stdout.write(ndjsonBytes(items, isLent, harmless));
  }
  return undefined;
}
