import { agoText, timeText } from "../contract/age-text.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonNamesSetAside,
  keysOf,
  parseJsonOr,
} from "../contract/json.ts";
import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import type { Secrets } from "../contract/secret-fields.ts";
import { RelayctlError } from "../errors.ts";
import { escapeFlatCell, escapeLines } from "./escape.ts";
import type { OutputOptions } from "./output-options.ts";
import { type Printer, printDrawn, printerLabels, printerWidth, printRawBody } from "./printer.ts";
import { renderList } from "./render/list.ts";
import { printValue, type ValueOptions, valueId } from "./render/value.ts";
import { pickFields } from "./select/fields.ts";
import { flatPathValue, pathValueText } from "./select/path.ts";
import { parseQuery } from "./select/query.ts";
import { readSelection, type Selection } from "./select/selection.ts";
import { createStyle } from "./style.ts";
import type { BlockLine, Cell, FactsView, OneView, Page, View } from "./view.ts";

/**
 * Prints the result of a command in the requested format (promises 3). The only place where results reach stdout.
 * @param beforeDrawing called once the result is complete, before it is drawn; not for rows that are written as they
 * arrive
 * @throws RelayctlError usage, if `--query` cannot be applied; io; ClosedPipe; and any error from the pages of a list
 */
export async function renderView(
  given: View,
  options: OutputOptions,
  out: Printer,
  beforeDrawing: () => Promise<void> = async () => {},
): Promise<void> {
  const view = withoutSecrets(given, out);
  if (view.kind === "list") return renderList(view, options, out, beforeDrawing);
  await beforeDrawing();
  switch (view.kind) {
    case "one":
      return renderOne(view, options, out);
    case "facts":
      return renderFacts(view, options, out);
    case "body":
      if (view.head !== undefined) await out.stdout.write(view.head);
      return renderBody(view.body, options, out);
    case "text":
      return printText(view, out);
    case "nothing":
      return;
  }
}

function withoutSecrets(view: View, { secrets }: Printer): View {
  if (!secrets || (view.kind === "text" && view.secret)) return view;
  if (view.kind !== "list") return secrets.masked(view);
  // Pages may change their list while they are read, e.g. if a relayer can't be read.
  return Object.create(view, { pages: { value: maskedPages(view.pages, secrets) } });
}

async function printText({ text, secret }: Extract<View, { kind: "text" }>, { stdout }: Printer): Promise<void> {
  const lines = stdout.isTerminal ? escapeLines(text) : text;
  const ended = lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
  await (secret ? stdout.reveal(ended) : stdout.write(ended));
}

async function renderBody(body: Uint8Array, options: OutputOptions, out: Printer): Promise<void> {
  if (options.query === undefined) return printRawBody(body, out);
  const query = await parseQuery(options.query);
  const { headers } = options;
  await printValue(query(everywhereMasked(parseBody(body))), { format: renderFormat(options, out), headers }, out);
}

function parseBody(body: Uint8Array): JsonValue {
  return parseJsonOr(new TextDecoder().decode(body), ({ message }) => {
    return new RelayctlError("server", `the response is not JSON, so --query cannot read it: ${message}`);
  });
}

/** Masks RPC URLs at any depth, since the response of an unknown operation can contain them anywhere. */
function everywhereMasked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(everywhereMasked);
  if (!isJsonObject(value)) return value;
  return withMaskedRpcUrls(Object.fromEntries(keysOf(value).map((key) => [key, everywhereMasked(value[key] ?? null)])));
}

/** Prints facts: lines on a terminal, otherwise the value. Only a response can be raw. */
async function renderFacts(view: FactsView, options: OutputOptions, out: Printer): Promise<void> {
  const { headers } = options;
  const query = options.query === undefined ? undefined : await parseQuery(options.query);
  const format = renderFormat(options, out);
  if (format === "raw" && view.body) return printRawBody(view.body, out);
  if (query) return printValue(query(view.value), { format, headers }, out);
  if (format === "name") return out.stdout.write(namesOnly(view.name ?? view.value));
  if (format === "table" && view.text) {
    const { printWrappedLines } = await import("./render/wrapped-lines.ts");
    return printWrappedLines(view.text, out);
  }
  if (format === "table" && view.screen) {
    const { printScreen } = await import("./render/screen.ts");
    return printScreen(view.screen, out);
  }
  if (format === "table") return printBlock(view.lines, out);
  await printValue(view.value, { format, headers }, out);
}

function namesOnly(value: JsonValue): string {
  const items = Array.isArray(value) ? value : [value];
  const ids = items.map((item) => (isJsonObject(item) ? valueId(item) : pathValueText(item)));
  return ids.map((id) => `${escapeFlatCell(id)}\n`).join("");
}

async function* maskedPages(
  pages: AsyncIterable<Page>,
  { masked, mayOccurIn }: Pick<Secrets, "masked" | "mayOccurIn">,
): AsyncGenerator<Page> {
  for await (const page of pages) {
    if (page.body.length > 0 && !mayOccurIn(page.body)) yield page;
    else
      yield Object.create(page, {
        items: { value: masked(page.items) },
        found: {},
        body: { value: masked(page.body) },
      });
  }
}

async function renderOne(view: OneView, options: OutputOptions, out: Printer): Promise<void> {
  const selection = await readSelection(options, view.resource);
  const masked = withMaskedRpcUrls(view.value);
  const value = selection.derive?.(masked) ?? masked;
  const format = renderFormat(options, out);
  const isBlock = format === "table" && !selection.query && !selection.fields;
  if (view.meaning !== undefined && !isBlock) await out.note(view.meaning);
  if (format === "raw") return printRawBody(view.body, out);
  if (selection.query) return printValue(selection.query(value), { format, headers: options.headers }, out);
  if (format === "name") return out.stdout.write(`${escapeFlatCell(view.name ?? valueId(value))}\n`);
  if (format === "table") return printBlock(blockLines(view, value, selection), out);
  return printChosen(value, view, selection, { format, headers: options.headers }, out);
}

export function renderFormat({ format, query }: OutputOptions, { stdout }: Printer): ValueOptions["format"] {
  if (format) return format;
  if (!stdout.isTerminal) return "keyvalue";
  return query === undefined ? "table" : "json";
}

async function printBlock(lines: readonly BlockLine[], out: Printer): Promise<void> {
  const { blockText } = await import("./block.ts");
  const shown = out.stdout.isTerminal ? lines.map((line) => ({ ...line, value: shownBy(line.value, out) })) : lines;
  await printDrawn(blockText(shown, await createStyle(out.color), printerWidth(out)), out);
}

function shownBy(value: Cell, out: Printer): Cell {
  const { time } = value;
  const { now } = out;
  if (time === undefined || now === undefined) return { ...value, text: printerLabels(value.text, out) };
  return { ...value, text: `${timeText(time)}, ${agoText(now - time)}` };
}

function blockLines({ resource }: OneView, value: JsonObject, { fields }: Selection): readonly BlockLine[] {
  return (
    fields?.map((path) => ({ label: path, value: { text: flatPathValue(value, path) } })) ?? [
      ...resource.block(value),
      ...jsonNamesSetAside(value).map((name) => ({ label: name, value: { text: flatPathValue(value, name) } })),
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
