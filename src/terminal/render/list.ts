import { createScale, type JsonObject } from "../../contract/json.ts";
import { inPieces, jsonList } from "../formats/json.ts";
import { createYamlWriter } from "../formats/yaml.ts";
import type { OutputFormat, OutputOptions } from "../output-options.ts";
import { type Printer, printDrawn, printRaw, tableWidth } from "../printer.ts";
import type { ScreenLine } from "../screen-line.ts";
import { pickFields } from "../select/fields.ts";
import { readSelection, type Selection } from "../select/selection.ts";
import { byId, byIdInContexts } from "../select/sort.ts";
import { createStyle } from "../style.ts";
import { createEscaping } from "../text/replace-unsafe.ts";
import type { ListView } from "../view.ts";
import { fieldsRead } from "./fields-read.ts";
import { copyLines, isCopied } from "./lines.ts";
import { emptyNote, streamingNote, summaryNote } from "./notes.ts";
import { type Listing, type Tally, wantedItems } from "./reading.ts";
import { type RowFormat, rowFormat, rowPieces } from "./row-format.ts";
import { printValue, shownJson } from "./value.ts";

/** Above this number of items, tsv, csv, and name are written as the pages arrive (promises 3). */
const MOST_ORDERED = 50_000;

/**
 * Prints a list: where, then sort, then limit. ndjson is written as pages arrive, and so are tsv, csv, and name if
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
  const held = await readBy(listing);
  if (tally.shown === 0 && view.nothing === null) return;
  if (held) await printWhole(held, listing);
  if (tally.shown === 0 && !selection.query) await out.note(emptyNote(view, options, tally));
}

/** Returns whether a table needs only the cells and the ID of an item, so that the item need not be kept. */
function isOfCells(
  format: OutputFormat,
  selection: Selection,
  { resource, inContexts }: ListView,
  { stdout }: Printer,
): boolean {
  const { sort, query, fields } = selection;
  const isPlain = !inContexts && !resource.screen;
  return format === "table" && !stdout.isTerminal && isPlain && !sort && !query && !fields;
}

/** Reads the list, and returns the items that are still to be printed. */
async function readBy(listing: Listing): Promise<readonly JsonObject[] | undefined> {
  const { format, selection, view, out } = listing;
  if (!view.inContexts && isCopied(format, selection, out)) return await copyLines(listing);
  if (!isOfCells(format, selection, view, out)) return await readAndStream(listing);
  const { printCellsTable } = await import("./cells-table.ts");
  return await printCellsTable(listing);
}

function defaultFormat({ query }: OutputOptions, { stdout }: Printer): OutputFormat {
  if (!stdout.isTerminal) return "tsv";
  return query === undefined ? "table" : "json";
}

async function printFirstBody(view: ListView, out: Printer): Promise<void> {
  for await (const page of view.pages) return printRaw(page.body, out);
}

/** Reads the pages, writes what can be written at once, and returns the rest. */
async function readAndStream(listing: Listing): Promise<readonly JsonObject[] | undefined> {
  const { view, format, selection, tally, out } = listing;
  const fields = fieldsRead(view.resource, format, selection, out);
  const held: JsonObject[] = [];
  const scale = createScale();
  const times = timesHeld(listing);
  let stream: RowFormat | undefined;
  let pages = 0;
  for await (const { items } of wantedItems(view.pages, selection, fields, tally)) {
    if (pages++ === 0) stream = await streamOf(listing);
    if (stream) await writeRows(stream, items, listing);
    else {
      let bytes = 0;
      for (const item of items) {
        held.push(item);
        bytes += scale(item);
      }
      tally.keep(times * bytes);
    }
  }
  return stream ? undefined : held;
}

/** Returns the memory factor: a query copies all items, and so does its result; a table adds its cells. */
function timesHeld({ format, selection }: Listing): number {
  if (selection.query) return 3;
  return format === "table" ? 2 : 1;
}

/** Returns the rows if they are to be written as they arrive; decided at the first page. */
async function streamOf({ view, format, selection, rows, tally, out }: Listing): Promise<RowFormat | undefined> {
  if (!rows || selection.sort || selection.query) return undefined;
  if (format === "ndjson") return rows;
  const total = tally.total ?? 0;
  if (total <= MOST_ORDERED || view.inOrder || view.inContexts) return undefined;
  await out.note(streamingNote(view, total));
  return rows;
}

async function writeRows(rows: RowFormat, items: readonly JsonObject[], listing: Listing): Promise<void> {
  await writePieces(rowPieces(rows, items, listing.tally.shown === items.length), listing);
}

/** Writes rows, of which ndjson is JSON. A terminal shows too little to make sharing escaped texts worthwhile. */
async function writePieces(pieces: Iterable<string>, { format, out }: Listing): Promise<void> {
  for (const piece of pieces) await out.stdout.write(format === "ndjson" ? await shownJson(piece, out) : piece);
}

async function printWhole(held: readonly JsonObject[], listing: Listing): Promise<void> {
  const { view, selection, format, options, out } = listing;
  await listing.beforeDrawing();
  const ordered = view.inOrder ? [...held] : view.inContexts ? byIdInContexts(held) : byId(held);
  const items = selection.sort ? selection.sort(ordered).slice(0, selection.limit) : ordered;
  if (selection.query) return printValue(selection.query(items), { format, headers: options.headers }, out);
  if (format === "table") return printListTable(items, listing);
  if (format === "yaml") return printYaml(pickedFrom(items, listing), out);
  const { rows } = listing;
  if (rows) await writePieces(rowPieces(rows, items, true), listing);
  else await printJson(pickedFrom(items, listing), out);
}

async function printJson(items: readonly JsonObject[], out: Printer): Promise<void> {
  const escaping = createEscaping();
  for (const text of jsonList(items)) await out.stdout.write(await shownJson(text, out, escaping));
}

async function printYaml(items: readonly JsonObject[], { stdout }: Printer): Promise<void> {
  const write = await createYamlWriter();
  if (items.length === 0) await stdout.write(write([]));
  for (const piece of inPieces(items, (item) => write([item]))) await stdout.write(piece);
}

function pickedFrom(items: readonly JsonObject[], { selection: { fields } }: Listing): readonly JsonObject[] {
  return fields ? items.map((item) => pickFields(item, fields)) : items;
}

async function printListTable(items: readonly JsonObject[], listing: Listing): Promise<void> {
  const { view, options, selection, tally, out } = listing;
  if (items.length === 0) return;
  const { resource, isMarked } = view;
  const { screen } = resource;
  const rows = view.rows?.(items) ?? items;
  if (screen && !selection.fields) return printScreen(screen(rows, view.flags ?? []), out);
  const { printFields, printItems } = await import("./table.ts");
  const { headers = true } = options;
  if (selection.fields) await printFields(rows, selection.fields, { resource, isMarked, headers }, out);
  else await printItems(rows, { ...resource, isMarked }, headers, out);
  if (out.stdout.isTerminal) await out.note(summaryNote(view, items, tally));
}

async function printScreen(lines: readonly ScreenLine[], out: Printer): Promise<void> {
  const { screenText } = await import("./screen.ts");
  await printDrawn(screenText(lines, tableWidth(out), await createStyle(out.color)), out);
}
