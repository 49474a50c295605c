import { FieldPlaces } from "../../contract/reply/field-places.ts";
import { createItemReader, type ItemSpan } from "../../contract/reply/list-reply.ts";
import type { GridColumn } from "./grid-column.ts";
import { KnownCells } from "./known-cells.ts";
import type { Rows } from "./rows.ts";

const QUOTE = 0x22;

type AddFound = (item: ItemSpan) => void;

/** Returns a function that adds a row to a table from the bytes of an item, mostly without building a value. */
export function foundRowAdder(columns: readonly GridColumn[], rows: Rows): AddFound {
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

/** Returns a function that adds the cell of a column. */
function foundCellAdder(column: GridColumn, rows: Rows, names: readonly string[], places: FieldPlaces): AddFound {
  const { reads, shows } = column;
  const read = createItemReader(reads);
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
