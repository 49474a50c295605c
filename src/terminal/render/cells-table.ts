import { FieldPlaces } from "../../contract/reply/field-places.ts";
import { createListItemReader, type ItemSpan, type ListItem, listItemsOf } from "../../contract/reply/list-reply.ts";
import { RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { type CellCopy, createGrid, type GridColumn, type GridRows } from "../table/grid-column.ts";
import type { Page } from "../view.ts";
import { fieldsRead, type Listing, readChosenUpTo, readWantedItems } from "./reading.ts";

const REFERENCE = 8;

/** Prints a table without keeping items: cells are built as pages arrive. It is written whole, sorted by ID. */
export async function printCellsTable(listing: Listing): Promise<undefined> {
  const { view, options, tally, out } = listing;
  const grid = createGrid(view.resource.table);
  const { rows } = grid;
  const addFound = foundRowAdder(grid.columns, rows);
  // Separate, since V8 compiles a long loop with its surroundings, and again at their next run.
  const addAll = (items: readonly ListItem[]) => {
    for (const item of items)
      if ("value" in item) grid.add(item.value);
      else addFound(item);
  };
  for await (const items of listedItems(listing)) {
    const before = rows.bytes;
    addAll(items);
    tally.keep(rows.bytes - before + REFERENCE * items.length);
  }
  grid.finish();
  if (!view.inOrder && !rows.isOrdered) rows.sortById();
  if (rows.count === 0) return undefined;
  await listing.beforeDrawing();
  const { printTable } = await import("./table.ts");
  await printTable(grid, options.headers ?? true, out);
  return undefined;
}

async function* listedItems({ view, format, selection, tally, out }: Listing): AsyncGenerator<readonly ListItem[]> {
  const { where, limit } = selection;
  const fields = fieldsRead(view.resource, format, selection, out);
  if (fields && where.length === 0 && !RPC_URL_FIELDS.some((field) => fields.includes(field))) {
    const found = (page: Page) => [page.found ?? listItemsOf(page.items)];
    for await (const { items } of readChosenUpTo(limit, view.pages, tally, found)) yield items;
  } else {
    for await (const { items } of readWantedItems(view.pages, selection, fields, tally)) yield listItemsOf(items);
  }
}

/** The number of remembered cells: a power of two. */
const SLOTS = 256;
const LONGEST = 256;

/** A class, since objects that are spread differ in their hidden class. */
class KnownCell implements CellCopy {
  readonly text: Uint8Array;
  readonly look: number;
  readonly units: number;
  /** The fields that it shows, each with a zero at its end, which JSON never has. */
  readonly fields: Uint8Array;

  constructor({ text, look, units }: CellCopy, fields: Uint8Array) {
    this.text = text;
    this.look = look;
    this.units = units;
    this.fields = fields;
  }
}

class KnownCells {
  private readonly fields: readonly number[];
  private readonly places: FieldPlaces;
  private readonly slots: (KnownCell | undefined)[] = new Array(SLOTS).fill(undefined);
  private length = 0;
  private slot = 0;

  /** @param fields their numbers among the found fields */
  constructor(fields: readonly number[], places: FieldPlaces) {
    this.fields = fields;
    this.places = places;
  }

  find(bytes: Uint8Array): CellCopy | undefined {
    this.findSlot(bytes);
    const known = this.slots[this.slot];
    return known?.fields.length === this.length && this.isOf(known, bytes) ? known : undefined;
  }

  keep(cell: CellCopy, bytes: Uint8Array): void {
    if (this.length === 0) return;
    const { starts, ends } = this.places;
    const fields = this.fields.flatMap((field) => [...bytes.subarray(starts[field], ends[field]), 0]);
    this.slots[this.slot] = new KnownCell(cell, Uint8Array.from(fields));
  }

  clear(): void {
    this.slots.fill(undefined);
  }

  private findSlot(bytes: Uint8Array): void {
    const { fields, places } = this;
    let [length, hash] = [fields.length, 0];
    for (const field of fields) {
      const start = places.starts[field] as number;
      const end = places.ends[field] as number;
      length += end - start;
      if (length > LONGEST) break;
      for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
      hash = Math.imul(hash, 31);
    }
    this.length = length > LONGEST ? 0 : length;
    this.slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }

  private isOf({ fields }: KnownCell, bytes: Uint8Array): boolean {
    const { starts, ends } = this.places;
    let known = 0;
    for (const field of this.fields) {
      const end = ends[field] as number;
      for (let at = starts[field] as number; at < end; at++) if (fields[known++] !== bytes[at]) return false;
      if (fields[known++] !== 0) return false;
    }
    return true;
  }
}

const QUOTE = 0x22;

type AddFound = (item: ItemSpan) => void;

/** Returns a function that adds a row to a table from the bytes of an item, mostly without building a value. */
function foundRowAdder(columns: readonly GridColumn[], rows: GridRows): AddFound {
  const names = [...new Set(columns.flatMap(({ reads }) => reads))];
  const places = new FieldPlaces(names);
  const adders = columns.map((column) => foundCellAdder(column, rows, names, places));
  return (item) => {
    const { bytes, idStart, idEnd } = item;
    places.find(item);
    if (!rows.addAscii(bytes, idStart, idEnd)) rows.add(bytes.toString("utf8", idStart, idEnd), 0);
    for (const add of adders) add(item);
    rows.endRow();
  };
}

function foundCellAdder(column: GridColumn, rows: GridRows, names: readonly string[], places: FieldPlaces): AddFound {
  const { reads, shows } = column;
  const read = createListItemReader(reads);
  const known = new KnownCells(
    reads.map((name) => names.indexOf(name)),
    places,
  );
  const addBuilt = (item: ItemSpan) => {
    for (const fields of read([item])) column.addTo(rows, fields);
  };
  let sharedTexts = 0;
  const addKnown = (item: ItemSpan) => {
    if (column.sharedTexts > sharedTexts) known.clear();
    sharedTexts = column.sharedTexts;
    const cell = known.find(item.bytes);
    if (cell) return rows.addCopy(cell);
    addBuilt(item);
    known.keep(rows.lastCell(), item.bytes);
  };
  if (shows === undefined) return addKnown;
  const shown = names.indexOf(shows);
  return (item) => {
    const start = places.starts[shown] as number;
    if (item.bytes[start] !== QUOTE) return addKnown(item);
    const end = (places.ends[shown] as number) - 1;
    if (column.addAscii(rows, item.bytes, start + 1, end)) return;
    const text = item.bytes.toString("utf8", start + 1, end);
    if (text.includes("\\")) addBuilt(item);
    else column.addText(rows, text);
  };
}
