import { isAscii } from "node:buffer";
import { FieldFinder } from "../json/field-finder.ts";
import { FieldReader } from "../json/fields.ts";
import { type ItemSpan, outlineList } from "../json/outline.ts";
import { MAX_DEPTH } from "../json/parse.ts";
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../json.ts";
import { RPC_URL_FIELDS } from "../rpc-url.ts";

/** One item of a list: where it stands in a reply, or its value where that had to be built. */
export type ListItem = ItemSpan | BuiltItem;

export interface BuiltItem {
  value: JsonObject;
  isPlain: false;
  /** The id in UTF-8, from `idStart` up to `idEnd`. */
  bytes: Uint8Array;
  idStart: number;
  idEnd: number;
}

/** A list reply whose items were told apart and judged without building them. */
export interface ListReply {
  /** Everything but the items: its `data` is empty. */
  document: JsonValue;
  items: readonly ListItem[];
}

/** What stands around the items is small. */
const MOST_VALUES_AROUND = 10_000;
const ITEM_DEPTH = 2;

/**
 * Reads the response of a list (interface 1.3) without building its items. The result is what the exact reader would
 * return, or nothing if that reader is needed, even if only to report an error.
 */
export function readListReply(body: Uint8Array, mostValues: number): ListReply | undefined {
  const values = mostValues - MOST_VALUES_AROUND;
  const outline = outlineList(body, { list: "data", values, notable: RPC_URL_FIELDS });
  if (!outline) return undefined;
  const around = `${textOf(body, 0, outline.start)}[]${textOf(body, outline.end, body.length)}`;
  try {
    const document = parseJson(around, { values: MOST_VALUES_AROUND });
    return {
      document,
      items: outline.items.map((span) => (span.isOdd ? builtItem(built(span)) : span)),
    };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The items of a list that was read whole. Each has an id. */
export function listItemsOf(values: readonly JsonObject[]): ListItem[] {
  return values.map(builtItem);
}

export function itemValue(item: ListItem): JsonObject {
  return "value" in item ? item.value : built(item);
}

/**
 * The items of one reply for whoever looks at some of their members alone: building all of an item takes longer than all else that is
 * done with it. An item that is built already has its other members too.
 */
export function itemsWith(items: readonly ListItem[], fields: readonly string[]): JsonObject[] {
  const page = items.find((item) => !("value" in item))?.bytes;
  if (!page) return items.map(itemValue);
  const finder = new FieldFinder(page, fields);
  const reader = new FieldReader(page, fields);
  return items.map((item) => {
    if ("value" in item) return item.value;
    return finder.fieldsAt(item.start) ?? readFields(item, finder, reader);
  });
}

function readFields(item: ItemSpan, finder: FieldFinder, reader: FieldReader): JsonObject {
  const { bytes, start, end } = item;
  finder.learn(start, end);
  return isAscii(bytes.subarray(start, end)) ? reader.fieldsAt(start) : built(item);
}

const encoder = new TextEncoder();

function builtItem(value: JsonObject): BuiltItem {
  const bytes = encoder.encode(value.id as string);
  return { value, isPlain: false, bytes, idStart: 0, idEnd: bytes.length };
}

function built({ bytes, start, end }: ItemSpan): JsonObject {
  return parseJson(textOf(bytes, start, end), { depth: MAX_DEPTH - ITEM_DEPTH }) as JsonObject;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}
