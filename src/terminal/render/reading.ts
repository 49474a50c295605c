import { type JsonObject, withLastJsonMember } from "../../contract/json.ts";
import { createListItemReader, type ListItem, listItemValue } from "../../contract/reply/list-reply.ts";
import { RPC_URL_FIELDS, withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import type { OutputFormat, OutputOptions } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import { fieldsReadByPath } from "../select/path.ts";
import type { Selection } from "../select/selection.ts";
import type { ListView, Page, ResourceView } from "../view.ts";
import type { RowFormat } from "./row-format.ts";

export interface Listing {
  view: ListView;
  options: OutputOptions;
  format: OutputFormat;
  selection: Selection;
  rows: RowFormat | undefined;
  tally: Tally;
  out: Printer;
  beforeDrawing(): Promise<void>;
}

export interface BufferedRows {
  add(items: readonly JsonObject[]): number;
  print(): Promise<void>;
}

export interface Tally {
  seen: number;
  shown: number;
  total: number | undefined;
  /** Counts bytes of the last page that are kept. */
  keep(bytes: number): void;
}

/** Yields batches, with masked RPC URLs. No page is requested once there are enough, unless a sort needs all. */
export function readWantedItems(
  pages: AsyncIterable<Page>,
  { where, sort, limit, derive }: Selection,
  fields: readonly string[] | undefined,
  tally: Tally,
): AsyncGenerator<ListSelection<JsonObject>> {
  const most = sort ? Number.POSITIVE_INFINITY : limit;
  const isMasked = fields !== undefined && !RPC_URL_FIELDS.some((field) => fields.includes(field));
  const readItems = fields ? createListItemReader(fields) : (items: readonly ListItem[]) => items.map(listItemValue);
  const chosen = (items: readonly JsonObject[], { context }: Page) => {
    const masked = isMasked ? items : items.map(withMaskedRpcUrls);
    const shown = context === undefined ? masked : masked.map((item) => withLastJsonMember(item, "context", context));
    const wanted = where.length === 0 ? shown : shown.filter((item) => where.every((holds) => holds(item)));
    return derive ? wanted.map(derive) : wanted;
  };
  return readChosenUpTo(most, pages, tally, function* (page) {
    // A page builds all of its items on access.
    if (!page.found) return yield chosen(page.items, page);
    for (const items of inBatches(page.found)) yield chosen(readItems(items), page);
  });
}

/** Values of this number of items are garbage before V8 moves them to the old generation, which costs more than they do. */
const AT_ONCE = 200;

function* inBatches<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= AT_ONCE) return yield items;
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE);
}

export interface ListSelection<T> {
  items: readonly T[];
  /** Whether the memory of the page may be overwritten. It is given back before the next page. */
  isLent: boolean;
}

/** Yields each page's chosen items, up to the limit. @param choose yields at least one batch of the page */
export async function* readChosenUpTo<T>(
  most: number,
  pages: AsyncIterable<Page>,
  tally: Tally,
  choose: (page: Page) => Iterable<readonly T[]>,
): AsyncGenerator<ListSelection<T>> {
  for await (const page of pages) {
    tally.seen += (page.found ?? page.items).length;
    tally.total = page.total;
    tally.keep = (bytes) => page.keep?.(bytes);
    for (const chosen of choose(page)) {
      const items = chosen.slice(0, most - tally.shown);
      tally.shown += items.length;
      yield { items, isLent: page.release !== undefined };
      if (tally.shown >= most) break;
    }
    page.release?.();
    if (tally.shown >= most) return;
  }
}

/** Returns the item fields that the output shows, filters, or sorts by; undefined if any field may be needed. */
export function fieldsRead(
  resource: ResourceView,
  format: OutputFormat,
  selection: Selection,
  out: Printer,
): readonly string[] | undefined {
  const shown = selection.query ? undefined : pathsShown(resource, format, selection, out);
  if (shown === undefined) return undefined;
  const choosing = [...selection.where, ...(selection.sort ? [selection.sort] : [])].map(({ field }) => field);
  const paths = ["id", ...shown, ...choosing].flatMap((path) => fieldsReadByPath(resource, path));
  return [...new Set(paths.map((path) => path.split(".", 1).join()))];
}

function pathsShown(
  { id, table, flat, screen, attention }: ResourceView,
  format: OutputFormat,
  { fields }: Selection,
  { stdout }: Printer,
): readonly string[] | undefined {
  if (format === "name") return [id ?? "id", "name"];
  // On a terminal the summary below a table may read any field.
  if (format === "table" && stdout.isTerminal && attention) return undefined;
  if (fields) return fields;
  if (format === "tsv" || format === "csv") return flat;
  if (format !== "table" || screen) return undefined;
  const reads = table.map((column) => column.reads);
  return reads.every((fields) => fields !== undefined) ? reads.flat() : undefined;
}
