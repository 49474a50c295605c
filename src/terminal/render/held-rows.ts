import type { JsonObject } from "../../contract/json.ts";
import { indentedItem } from "../formats/json.ts";
import { createYamlWriter } from "../formats/yaml.ts";
import type { OutputFormat } from "../output-options.ts";
import { pickFields } from "../select/fields.ts";
import { createEscaping, type Escaping } from "../text/replace-unsafe.ts";
import { HeldTexts } from "./held-texts.ts";
import { createListOrder } from "./list-order.ts";
import type { Held, Listing } from "./reading.ts";
import type { RowFormat } from "./row-format.ts";
import { shownJson } from "./value.ts";

/** Holds the items of a list as rows that are printed once all are known. */
export async function createHeldRows(listing: Listing): Promise<Held> {
  const { view, format, rows, selection } = listing;
  const whole = await wholeFormat(format, rows, selection.fields);
  const written = new HeldTexts();
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
      for (const piece of piecesOf(written, order.indexes(), whole)) await write(piece, listing, escaping);
    },
  };
}

function* piecesOf(
  written: HeldTexts,
  indexes: readonly number[] | undefined,
  { header, between, footer, empty }: WholeFormat,
): Generator<Uint8Array> {
  const count = indexes?.length ?? written.count;
  if (count === 0) return yield Buffer.from(empty);
  yield Buffer.from(header);
  // Each row was written with what comes before it.
  let surplus = Buffer.byteLength(between);
  for (const piece of indexes ? written.inOrderOf(indexes) : written.inOrder()) {
    yield piece.subarray(surplus);
    surplus = 0;
  }
  yield Buffer.from(footer);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes bytes to a pipe, and to a terminal as text, which is shown whole. */
async function write(piece: Uint8Array, { format, out }: Listing, escaping: Escaping): Promise<void> {
  const { stdout } = out;
  if (!stdout.isTerminal) return await stdout.write(piece);
  const text = decoder.decode(piece);
  const isJson = format === "json" || format === "ndjson";
  await stdout.write(isJson ? await shownJson(text, out, escaping) : text);
}

/** A format of a list that is written once all rows are known. */
interface WholeFormat extends RowFormat {
  /** Comes between two rows. */
  between: string;
  /** Comes after the last row. */
  footer: string;
  /** The text of a list without rows. */
  empty: string;
}

/**
 * Returns how a list is written in a format.
 * @param rows the rows of a format with rows; every other one is JSON or YAML
 */
async function wholeFormat(
  format: OutputFormat,
  rows: RowFormat | undefined,
  fields: readonly string[] | undefined,
): Promise<WholeFormat> {
  if (rows) return { ...rows, between: "", footer: "", empty: "" };
  const picked = (item: JsonObject) => (fields ? pickFields(item, fields) : item);
  if (format === "yaml") {
    const write = await createYamlWriter();
    return { header: "", row: (item) => write([picked(item)]), between: "", footer: "", empty: write([]) };
  }
  return { header: "[\n", row: (item) => indentedItem(picked(item)), between: ",\n", footer: "\n]\n", empty: "[]\n" };
}
