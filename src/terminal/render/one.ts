import { agoText, timeText } from "../../contract/age-text.ts";
import { type JsonObject, namesSetAside } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { flatCell } from "../escape.ts";
import type { OutputOptions } from "../output-options.ts";
import { type Printer, printDrawn, printRaw, tableWidth, withLabels } from "../printer.ts";
import { pickFields } from "../select/fields.ts";
import { flatValue } from "../select/path.ts";
import { readSelection, type Selection } from "../select/selection.ts";
import { createStyle } from "../style.ts";
import type { BlockLine, Cell, OneView } from "../view.ts";
import { idOf, printValue, type ValueOptions } from "./value.ts";

/** Prints one resource: a block on a terminal, `key<TAB>value` to a pipe, or the requested format. */
export async function renderOne(view: OneView, options: OutputOptions, out: Printer): Promise<void> {
  const selection = await readSelection(options, view.resource);
  const masked = withMaskedRpcUrls(view.value);
  const value = selection.derive?.(masked) ?? masked;
  const format = formatFor(options, out);
  const isBlock = format === "table" && !selection.query && !selection.fields;
  if (view.meaning !== undefined && !isBlock) await out.note(view.meaning);
  if (format === "raw") return printRaw(view.body, out);
  if (selection.query) return printValue(selection.query(value), { format, headers: options.headers }, out);
  if (format === "name") return out.stdout.write(`${flatCell(view.name ?? idOf(value))}\n`);
  if (format === "table") return printBlock(blockLines(view, value, selection), out);
  return printChosen(value, view, selection, { format, headers: options.headers }, out);
}

export function formatFor({ format, query }: OutputOptions, { stdout }: Printer): ValueOptions["format"] {
  if (format) return format;
  if (!stdout.isTerminal) return "keyvalue";
  return query === undefined ? "table" : "json";
}

export async function printBlock(lines: readonly BlockLine[], out: Printer): Promise<void> {
  const { blockText } = await import("../block.ts");
  const shown = out.stdout.isTerminal ? lines.map((line) => ({ ...line, value: shownBy(line.value, out) })) : lines;
  await printDrawn(blockText(shown, await createStyle(out.color), tableWidth(out)), out);
}

/** Returns a time with its age: `2026-08-20 10:00:00Z, 93 days ago`, and addresses with their labels. */
function shownBy(value: Cell, out: Printer): Cell {
  const { time } = value;
  const { now } = out;
  if (time === undefined || now === undefined) return { ...value, text: withLabels(value.text, out) };
  return { ...value, text: `${timeText(time)}, ${agoText(now - time)}` };
}

function blockLines({ resource }: OneView, value: JsonObject, { fields }: Selection): readonly BlockLine[] {
  return (
    fields?.map((path) => ({ label: path, value: { text: flatValue(value, path) } })) ?? [
      ...resource.block(value),
      ...namesSetAside(value).map((name) => ({ label: name, value: { text: flatValue(value, name) } })),
    ]
  );
}

async function printChosen(
  value: JsonObject,
  { resource }: OneView,
  { fields }: Selection,
  options: ValueOptions,
  out: Printer,
): Promise<void> {
  const isFlat = options.format === "csv" || options.format === "tsv";
  const columns = fields ?? (isFlat ? resource.flat : undefined);
  const chosen = fields ? pickFields(value, fields) : value;
  await printValue(chosen, { ...options, columns }, out);
}
