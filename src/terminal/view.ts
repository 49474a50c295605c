import { timeText } from "../contract/age-text.ts";
import { isIdField } from "../contract/id.ts";
import { asText, type JsonObject, type JsonValue, jsonNamesSetAside } from "../contract/json.ts";
import type { ListItem } from "../contract/reply/list-reply.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { type FieldTable, fieldsOrderedBy } from "../contract/resources/field.ts";
import type { RelayctlError } from "../errors.ts";
import type { Message, Row } from "../message.ts";

/** The program's icons, of one column each, which `ascii.ts` replaces. */
export const SIGNS = {
  good: "✓",
  bad: "✗",
  active: "●",
  paused: "‖",
  ahead: "○",
  attention: "!",
  changed: ">",
  note: "·",
} as const;

export type SignName = keyof typeof SIGNS;

/** A field that this program derives from others, which can be selected like a field of the service. */
export interface DerivedField<T extends JsonObject = JsonObject> {
  /** @param now milliseconds since 1970 */
  value(item: T, now: number): JsonValue;
  reads: readonly string[];
  /** Whether the value is an age in seconds. */
  isAge?: true;
  /** Whether the value contains addresses or hashes, which are never cut. */
  isWhole?: true;
}

export interface TableColumn<T extends JsonObject> {
  /** In lowercase; the table prints it in capitals. */
  header: string;
  cell(item: T): Cell;
  /** Returns a word that distinguishes items with identical cells. It is shown after the cell if they differ in it. */
  apart?(item: T): string;
  /** The fields that the cell and its word depend on (default: all). */
  reads?: readonly string[];
  /** The field whose text is the cell, unless it is empty. */
  shows?: string;
  align?: "right";
  /** Contains IDs, addresses, or hashes, which are never cut. All other texts are cut at `most` columns, with `…`. */
  whole?: boolean;
  most?: number;
  /** Set for a drawing of the row's words, only for terminals with drawings. */
  isDrawing?: true;
  /** A narrow terminal hides the least worth (default: 0) first, then the last. The first and `always` stay. */
  worth?: number | "always";
  /** Without room, its cells get lines below their rows, and are not hidden; `if cut` only if they would be cut. */
  isBelow?: true | "if cut";
}

export interface RowSign {
  sign: SignName;
  tone?: Tone | undefined;
}

/** Further lines of a value have an empty label; `indent` indents a group. */
export interface BlockLine {
  label: string;
  value: Cell;
  indent?: true;
}

/** How to show one kind of resource. Texts are raw: the printing code escapes them. */
export interface ResourceView<T extends JsonObject = JsonObject> {
  one: string;
  many: string;
  /** The dotted path of its ID (default: `id`). */
  id?: string;
  table: readonly TableColumn<T>[];
  sign?(item: T): RowSign;
  /** The documented columns of tsv and csv, as dotted paths. New ones are only appended. */
  flat: readonly string[];
  /** Every dotted path allowed in `--fields`. */
  fields: readonly string[];
  /** A field with unknown subfields: `erc20` for `erc20.usdc`. */
  open?: string;
  /** Returns the right side of a condition on a field in the unit of the field. @throws AmountError */
  operand?(field: string, text: string): string;
  /** The derived ones of them. They come last, and are part of the output only if they are selected. */
  derived?: Readonly<Record<string, DerivedField<T>>>;
  block(item: T): readonly BlockLine[];
  hasMetrics?: true;
  hasMarkdown?: true;
  /** Whether its items are about lines of files, and have forms for CI. */
  isOfFiles?: true;
  /** Whether its items have the labels of their addresses, which are then not shown again. */
  hasLabels?: true;
  /** Returns `2 need attention: relayctl relayers status`. @param flags repeated to reach the same service */
  attention?(items: readonly T[], flags: readonly string[]): string | undefined;
  below?(items: readonly T[], flags: readonly string[]): readonly ScreenLine[];
  /** Returns a list as one screen, in place of its table. */
  screen?(items: readonly T[], flags: readonly string[]): readonly ScreenLine[];
}

export interface Page {
  items: readonly JsonObject[];
  /** The same items, if they can be shown without building them. */
  found?: readonly ListItem[];
  /** `total_items` of the response. */
  total: number | undefined;
  body: Uint8Array;
  /** As in `ListPage`. */
  release?(): void;
  /** The context that it is from, in a list of several: each item then has it as its last member. */
  context?: string;
  /** Counts its bytes that are kept after the next page was requested, if reading must end when there are too many. */
  keep?(bytes: number): void;
}

export interface ListView {
  kind: "list";
  resource: ResourceView;
  pages: AsyncIterable<Page>;
  where: string;
  flags?: readonly string[] | undefined;
  /** Set if the pages come in print order; otherwise a list is sorted by ID. */
  inOrder?: true;
  /** Set if its pages are of several contexts in turn, each sorted by ID. */
  inContexts?: true;
  /** The default format (default: a table on a terminal, otherwise tsv). */
  usual?: "json";
  /** The message for an empty list; null prints nothing, since the ending explains it. */
  nothing?: string | null;
  /** Set if `--where` selected the command's targets, and is not part of the output. */
  chosen?: true;
  rows?(items: readonly JsonObject[]): readonly JsonObject[];
  isMarked?(item: JsonObject): boolean;
  /** As in `Ending`. */
  isChange?: true;
  /** Returns the command's end once the list is printed, or its reader has left; called last. */
  ending?(): Promise<Ending>;
}

export interface OneView extends Ending {
  kind: "one";
  resource: ResourceView;
  value: JsonObject;
  body: Uint8Array;
  /** Text beyond the fields: a note if the block is not printed. */
  meaning?: Message;
  /** The output of `-o name` if the value has no ID. */
  name?: string;
}

/** A result that is not a resource: a block on a terminal, a value for scripts. */
export interface FactsView extends Ending {
  kind: "facts";
  lines: readonly BlockLine[];
  /** Lines in place of the block: each is wrapped with a hanging indent. */
  text?: readonly TextLine[];
  screen?: readonly ScreenLine[];
  value: JsonValue;
  /** The value's lists, its only members with several contexts. */
  lists?: readonly string[];
  /** The output of `-o name` if the value itself has no ID. */
  name?: string;
  /** The response body for `-o raw`; absent for values computed by this tool. */
  body?: Uint8Array;
}

export type View =
  | ListView
  | OneView
  | FactsView
  /** A result that is text: a dry run, a curl command, a completion script. A requested token is `secret`. */
  | ({ kind: "text"; text: string; secret?: true } & Ending)
  /** A response body as received; `head` is the text before it. */
  | ({ kind: "body"; body: Uint8Array; head?: string } & Ending)
  | { kind: "nothing" };

/** Yields items as one page. @param body their response */
export async function* onePageView(
  items: readonly JsonObject[],
  body: Uint8Array = new Uint8Array(),
): AsyncGenerator<Page> {
  yield { items, total: items.length, body };
}

export function listFrom(
  { name, flags }: { name: string; flags?: readonly string[] },
  resource: ResourceView,
  pages: AsyncIterable<Page>,
  more: Partial<ListView> = {},
): ListView {
  return { kind: "list", resource, pages, where: name, flags, inOrder: true, ...more };
}

export interface Ending {
  notes?: readonly Message[];
  /** The result is of a write that took effect: these lines are printed even if it cannot be drawn. */
  receipt?: readonly Message[];
  receipts?: readonly (readonly Message[])[];
  /** The commands that undo or follow the write: the last lines, ready to be typed next. */
  next?: readonly Message[];
  /** Set for the view of a change: a terminal only prints its receipt, unless an output is requested. */
  isChange?: true;
  /** Reads what the write led to, and returns lines that are printed after all others. Never fails. */
  outlook?: () => Promise<readonly Message[]>;
  /** The command completed but fails: a check did not pass, or some of many targets failed. */
  failure?: RelayctlError | undefined;
}

/** The meaning of a word, for color output: `good` green, `warn` yellow, `bad` red, `faint` dim. */
export type Tone = "good" | "warn" | "bad" | "faint";

export interface Cell {
  text: string;
  tone?: Tone | undefined;
  /** A time in milliseconds since 1970, which a terminal shows with its age, or as its age in a table. */
  time?: number | undefined;
}

export type TextLine = Cell | Row;

interface ScreenEntry {
  name: string;
  words: readonly string[];
  /** A word at the right edge, next to the first text if both fit. */
  aside?: string;
  facts?: readonly string[];
  /** Labeled texts below; a single word is never broken. */
  rows?: readonly (readonly [label: string, text: string])[];
}

/** A line of a screen: a label, then an entry, or as many names as fit. A heading begins a group. */
export type ScreenLine =
  | { heading: string }
  | ({ label: Cell & { sign?: SignName; keepsText?: true }; isMarked?: boolean } & (
      | ScreenEntry
      | { names: readonly string[] }
    ));

/** Returns a value for display; `–` if it is missing. */
export function toCell(value: JsonValue | undefined): Cell {
  if (value === null || value === undefined || value === "") return { text: "–", tone: "faint" };
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  return { text: asText(value) };
}

/** Returns a time of the service unchanged, whose age a terminal shows. */
export function viewTimeCell(value: JsonValue | undefined): Cell {
  const time = receivedTime(value);
  return Number.isNaN(time) ? toCell(value) : { text: timeText(time), time };
}

export function toColumn<T extends JsonObject>(header: string, key: string): TableColumn<T> {
  return { header, cell: (item) => toCell(item[key]), reads: [key], shows: key, whole: isIdField(key) };
}

export function viewContextColumn<T extends JsonObject>(): TableColumn<T> {
  return { ...toColumn<T>("context", "context"), whole: true, worth: "always" };
}

/** Returns one block line per value, the first with the label. */
export function viewLines(label: string, values: readonly Cell[], indent?: true): BlockLine[] {
  return values.map((value, index) => ({ label: index === 0 ? label : "", value, ...(indent && { indent }) }));
}

export function viewColumns<T extends JsonObject>(
  table: FieldTable,
  own: Readonly<Record<string, TableColumn<T>>> = {},
): Pick<ResourceView<T>, "table" | "flat" | "fields"> {
  return {
    table: fieldsOrderedBy(table, "table").map((name) => own[name] ?? toColumn<T>(table[name]?.label ?? name, name)),
    flat: Object.entries(table).flatMap(([name, { flat }]) => (flat === true ? name : (flat ?? []))),
    fields: Object.entries(table).flatMap(([name, { holds, paths = [] }]) => (holds ? [name, ...paths] : [])),
  };
}

export function viewFieldLines(
  table: FieldTable,
  item: JsonObject,
  own: Readonly<Record<string, () => readonly BlockLine[]>> = {},
): BlockLine[] {
  return Object.entries(table).flatMap(([name, { label }]) => {
    // A member of an odd type gets its own line.
    if (label === undefined || jsonNamesSetAside(item).includes(name)) return [];
    return own[name]?.() ?? viewLines(label, [toCell(item[name])]);
  });
}

export function viewPlainFields(fields: readonly string[]): Pick<ResourceView, "flat" | "fields" | "block"> {
  const block = (item: JsonObject) =>
    fields.flatMap((field) => viewLines(field.replaceAll("_", " "), [toCell(item[field])]));
  return { flat: fields, fields, block };
}

export function viewNumberColumn<T extends JsonObject>(field: string): TableColumn<T> {
  return { ...toColumn<T>(field, field), align: "right" };
}

/** Returns the view of a response that isn't a resource, with labeled fields. @param shown omits undefined fields */
export function fieldsView(
  one: string,
  fields: readonly string[],
  shown: (field: string, item: JsonObject) => Cell | undefined,
): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: fields.map((field) => toColumn(field, field)),
    flat: fields,
    fields,
    block: (item) =>
      fields.flatMap((field) => {
        const value = shown(field, item);
        return value === undefined ? [] : viewLines(field.replaceAll("_", " "), [value]);
      }),
  };
}
