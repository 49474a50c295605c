import { groupDigits } from "../../contract/decimal.ts";
import { utf8Text } from "../../contract/encoding/utf8.ts";
import { createHeldBytes, type JsonObject, parseJson, writeJson } from "../../contract/json.ts";
import { listItemsOf } from "../../contract/reply/list-reply.ts";
import { createEscaping, type Escaping } from "../escape.ts";
import { ndjsonBytes } from "../formats/ndjson.ts";
import { createYamlWriter } from "../formats/yaml.ts";
import type { OutputFormat, OutputOptions } from "../output-options.ts";
import { type Printer, printRawBody } from "../printer.ts";
import { compareTexts } from "../select/compare.ts";
import { sortById, sortByIdInContexts } from "../select/condition.ts";
import { pickFields } from "../select/fields.ts";
import { fieldsReadByPath, pathValueText } from "../select/path.ts";
import { readSelection, type Selection } from "../select/selection.ts";
import type { ListView, Page } from "../view.ts";
import { BufferedTexts } from "./buffered-texts.ts";
import { type BufferedRows, fieldsRead, type Listing, readChosenUpTo, readWantedItems, type Tally } from "./reading.ts";
import { formatRowPieces, type RowFormat, rowFormat } from "./row-format.ts";
import { indentedValue, printValue, shownJsonValue } from "./value.ts";

async function createHeldRows(listing: Listing): Promise<BufferedRows> {
  const { view, format, rows, selection } = listing;
  const whole = await wholeFormat(format, rows, selection.fields);
  const written = new BufferedTexts();
  const order = createListOrder(view, selection);
  return {
    add(items) {
      const before = written.bytes + order.bytes;
      for (const item of items) {
        written.add(whole.between + whole.row(item));
        order.add(item);
      }
      return written.bytes + order.bytes - before;
    },
    async print() {
      const escaping = createEscaping();
      for (const piece of piecesOf(written, order.indexes(), whole)) await writePiece(piece, listing, escaping);
    },
  };
}

function* piecesOf(
  written: BufferedTexts,
  indexes: readonly number[] | undefined,
  { header, between, footer, empty }: WholeFormat,
): Generator<Uint8Array> {
  const count = indexes?.length ?? written.count;
  if (count === 0) return yield Buffer.from(empty);
  yield Buffer.from(header);
  // Each row was written with its separator.
  let surplus = Buffer.byteLength(between);
  for (const piece of indexes ? written.inOrderOf(indexes) : written.inOrder()) {
    yield piece.subarray(surplus);
    surplus = 0;
  }
  yield Buffer.from(footer);
}

async function writePiece(piece: Uint8Array, { format, out }: Listing, escaping: Escaping): Promise<void> {
  const { stdout } = out;
  if (!stdout.isTerminal) return await stdout.write(piece);
  const text = utf8Text(piece);
  const isJson = format === "json" || format === "ndjson";
  await stdout.write(isJson ? await shownJsonValue(text, out, escaping) : text);
}

interface WholeFormat extends RowFormat {
  between: string;
  footer: string;
  empty: string;
}

async function wholeFormat(
  format: OutputFormat,
  rows: RowFormat | undefined,
  fields: readonly string[] | undefined,
): Promise<WholeFormat> {
  if (rows) return { ...rows, between: "", footer: "", empty: rows.header };
  const picked = (item: JsonObject) => (fields ? pickFields(item, fields) : item);
  if (format === "yaml") {
    const write = await createYamlWriter();
    return { header: "", row: (item) => write([picked(item)]), between: "", footer: "", empty: write([]) };
  }
  return { header: "[\n", row: (item) => indentedValue(picked(item)), between: ",\n", footer: "\n]\n", empty: "[]\n" };
}

/** Returns whether every item is copied unchanged to a line, unfiltered: then it need not be built. */
function isCopied(format: OutputFormat, { where, sort, query, fields }: Selection, { stdout }: Printer): boolean {
  return format === "ndjson" && where.length === 0 && !sort && !query && !fields && !stdout.isTerminal;
}

const VERY_MANY = 200_000;

async function copyLines(listing: { view: ListView; selection: Selection; tally: Tally; out: Printer }) {
  const { view, selection, tally, out } = listing;
  const harmless = new Set<string>();
  const found = (page: Page) => [page.found ?? listItemsOf(page.items)];
  for await (const { items, isLent } of readChosenUpTo(selection.limit, view.pages, tally, found)) {
    if ((tally.total ?? 0) > VERY_MANY) out.manyPass?.();
    await out.stdout.write(ndjsonBytes(items, isLent, harmless));
  }
  return undefined;
}

/** Above this number of items, tsv, csv, and name are written as the pages arrive (promises 3). */
const MOST_ORDERED = 50_000;

/**
 * Prints a list: where, then sort, then limit. ndjson is written as pages arrive, like tsv, csv, and name if
 * there are very many items; other output is sorted and written at the end, so that a list that fails prints nothing
 * (promises 3). Nothing is printed either if the ending explains why there is no result.
 * @throws RelayctlError usage, before the first page is requested; and any error from the pages
 */
export async function renderList(
  view: ListView,
  options: OutputOptions,
  out: Printer,
  beforeDrawing: () => Promise<void> = async () => {},
): Promise<void> {
  const selection = await readSelection(view.chosen ? { ...options, where: [] } : options, view.resource);
  const format = options.format ?? view.usual ?? defaultFormat(options, out);
  if (format === "raw") return printFirstBody(view, out);
  const { fields } = selection;
  const columns = fields ?? view.resource.flat;
  const { id = "id" } = view.resource;
  const rows = rowFormat(format, { columns, fields, id, headers: options.headers });
  const tally: Tally = { seen: 0, shown: 0, total: undefined, keep: () => {} };
  const listing: Listing = { view, options, format, selection, rows, tally, out, beforeDrawing };
  const held = await readRows(listing);
  if (tally.shown === 0 && view.nothing === null) return;
  if (held) {
    await beforeDrawing();
    await held.print();
  }
  if (tally.shown === 0 && !selection.query) await out.note(emptyNote(view, options, tally));
}

/** Returns whether a table needs only the cells and the ID of an item, so that the item need not be kept. */
function needsOnlyCells(
  format: OutputFormat,
  selection: Selection,
  { resource, inContexts }: ListView,
  { stdout }: Printer,
): boolean {
  const { sort, query, fields } = selection;
  const isPlain = !inContexts && !resource.screen && !resource.below;
  return format === "table" && !stdout.isTerminal && isPlain && !sort && !query && !fields;
}

async function readRows(listing: Listing): Promise<BufferedRows | undefined> {
  const { format, selection, view, out } = listing;
  if (!view.inContexts && isCopied(format, selection, out)) return await copyLines(listing);
  if (!needsOnlyCells(format, selection, view, out)) return await readAndStream(listing);
  const { printCellsTable } = await import("./cells-table.ts");
  return await printCellsTable(listing);
}

function defaultFormat({ query }: OutputOptions, { stdout }: Printer): OutputFormat {
  if (!stdout.isTerminal) return "tsv";
  return query === undefined ? "table" : "json";
}

async function printFirstBody(view: ListView, out: Printer): Promise<void> {
  for await (const page of view.pages) return printRawBody(page.body, out);
}

async function readAndStream(listing: Listing): Promise<BufferedRows | undefined> {
  const { view, format, selection, tally, out } = listing;
  const fields = fieldsRead(view.resource, format, selection, out);
  const isOfRows = format !== "table" && !selection.query;
  const held = isOfRows ? await createHeldRows(listing) : createHeldValues(listing);
  let stream: RowFormat | undefined;
  let pages = 0;
  for await (const { items } of readWantedItems(view.pages, selection, fields, tally)) {
    if (pages++ === 0) stream = await readStream(listing);
    if (stream) await writeRows(stream, items, listing);
    else tally.keep(held.add(items));
  }
  if (stream && tally.shown === 0) await out.stdout.write(stream.header);
  return stream ? undefined : held;
}

async function readStream({ view, format, selection, rows, tally, out }: Listing): Promise<RowFormat | undefined> {
  if (!rows || selection.sort || selection.query) return undefined;
  if (format === "ndjson") return rows;
  const total = tally.total ?? 0;
  if (total <= MOST_ORDERED || view.inOrder || view.inContexts) return undefined;
  await out.note(
    `${groupDigits(total)} ${view.resource.many}: rows are written as they arrive, not sorted by ID (use --sort to sort them)`,
  );
  return rows;
}

async function writeRows(
  rows: RowFormat,
  items: readonly JsonObject[],
  { tally, format, out }: Listing,
): Promise<void> {
  for (const piece of formatRowPieces(rows, items, tally.shown === items.length))
    await out.stdout.write(format === "ndjson" ? await shownJsonValue(piece, out) : piece);
}

function createHeldValues(listing: Listing): BufferedRows {
  const { view, selection, options, format, out } = listing;
  const { query } = selection;
  const held: JsonObject[] = [];
  const scale = createHeldBytes();
  return {
    add(items) {
      let bytes = 0;
      for (const item of items) {
        held.push(item);
        bytes += scale(item);
      }
      // The result of a query may be as large, and so may a table's cells.
      return 2 * bytes;
    },
    async print() {
      const items = renderedItems(held, view, selection);
      if (query) return printValue(query(items), { format, headers: options.headers }, out);
      await printListTable(items, listing);
    },
  };
}

async function printListTable(items: readonly JsonObject[], listing: Listing): Promise<void> {
  const { view, options, selection, tally, out } = listing;
  if (items.length === 0) return;
  const { resource, isMarked } = view;
  const { screen } = resource;
  const rows = view.rows?.(items) ?? items;
  if (screen && !selection.fields) {
    const { printScreen } = await import("./screen.ts");
    return await printScreen(screen(rows, view.flags ?? []), out);
  }
  const { printTableFields, printTableItems } = await import("./table.ts");
  const { headers = true } = options;
  if (selection.fields) await printTableFields(rows, selection.fields, { resource, isMarked, headers }, out);
  else if (rows.length > 0) await printTableItems(rows, { ...resource, isMarked }, headers, out);
  const below = selection.fields ? [] : (resource.below?.(items, view.flags ?? []) ?? []);
  if (below.length > 0) {
    if (rows.length > 0) await out.stdout.write("\n");
    await (await import("./screen.ts")).printScreen(below, out);
  }
  if (out.stdout.isTerminal) await out.note(summaryNote(view, items, tally));
}

/** Only keeps sort keys: the sorted field, the ID, and the context. */
function createListOrder(view: ListView, selection: Selection) {
  const names = orderedBy(view, selection);
  const keys = new BufferedTexts();
  let last = "";
  let isInOrder = names.length === 0 || (!selection.sort && !view.inContexts);
  return {
    get bytes() {
      return keys.bytes;
    },
    add(item: JsonObject) {
      if (names.length === 0) return;
      keys.add(writeJson(withMembers(item, names)));
      const next = pathValueText(item.id);
      isInOrder &&= compareTexts(last, next) <= 0;
      last = next;
    },
    /** Returns the positions of the items to print; undefined for all in their order. */
    indexes() {
      if (isInOrder) return undefined;
      const items = Array.from({ length: keys.count }, (_, index) => parseJson(keys.textAt(index)) as JsonObject);
      const indexOf = new Map(items.map((item, index) => [item, index]));
      return renderedItems(items, view, selection).map((item) => indexOf.get(item) ?? 0);
    },
  };
}

function orderedBy({ resource, inOrder, inContexts }: ListView, { sort }: Selection): readonly string[] {
  if (!sort) return inOrder ? [] : inContexts ? ["id", "context"] : ["id"];
  const sorted = fieldsReadByPath(resource, sort.field).map((path) => path.split(".", 1).join());
  return [...new Set(["id", "context", ...sorted])];
}

function withMembers(item: JsonObject, names: readonly string[]): JsonObject {
  const members: JsonObject = {};
  for (const name of names) {
    const value = item[name];
    if (value !== undefined) members[name] = value;
  }
  return members;
}

export function renderedItems(
  items: readonly JsonObject[],
  { inOrder, inContexts }: ListView,
  { sort, limit }: Selection,
): JsonObject[] {
  const ordered = inOrder ? [...items] : inContexts ? sortByIdInContexts(items) : sortById(items);
  return sort ? sort(ordered).slice(0, limit) : ordered;
}

function emptyNote({ resource, where, nothing }: ListView, options: OutputOptions, tally: Tally): string {
  if (nothing) return nothing;
  const all = countAll(tally);
  const conditions = options.where ?? [];
  const chosen = conditions.length > 0 ? ` match ${conditions.join(" and ")}` : all > 0 ? " on this page" : "";
  // Of items that were chosen earlier, the number of all is not known.
  return `no ${resource.many}${chosen} in ${where}${all > 0 ? ` (${groupDigits(all)} in all)` : ""}`;
}

/** Returns `5 relayers · demo · 2 need attention: …`, or `2 of 5 relayers · demo` */
function summaryNote({ resource, where, flags = [] }: ListView, items: readonly JsonObject[], tally: Tally): string {
  const all = countAll(tally);
  const noun = all === 1 ? resource.one : resource.many;
  const count =
    items.length < all
      ? `${groupDigits(items.length)} of ${groupDigits(all)} ${noun}`
      : `${groupDigits(items.length)} ${noun}`;
  return [count, where, resource.attention?.(items, flags)].filter((part) => part !== undefined).join(" · ");
}

function countAll({ total, seen }: Tally): number {
  return Math.max(total ?? 0, seen);
}
