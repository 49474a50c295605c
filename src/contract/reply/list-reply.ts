import { isAscii } from "node:buffer";
import { createKnownFields, FieldFinder } from "../json/field-finder.ts";
import { FieldReader } from "../json/fields.ts";
import { createKnownItems, type KnownItems } from "../json/known-items.ts";
import { type ItemSpan, outlineList } from "../json/outline.ts";
import { MAX_DEPTH } from "../json/parse.ts";
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../json.ts";
import { RPC_URL_FIELDS } from "../rpc-url.ts";

export { createKnownItems, type KnownItems } from "../json/known-items.ts";

/** One item of a list: its position in a response, or its value if it had to be built. */
export type ListItem = ItemSpan | BuiltItem;

interface BuiltItem {
  value: JsonObject;
  isPlain: false;
  /** The ID in UTF-8, from `idStart` up to `idEnd`. */
  bytes: Uint8Array;
  idStart: number;
  idEnd: number;
}

/** A list response whose items were validated without building them. */
export interface ListReply {
  /** The whole response except the items: its `data` is empty. */
  document: JsonValue;
  items: readonly ListItem[];
}

/** The maximum number of values around the items. */
const MOST_VALUES_AROUND = 10_000;
const ITEM_DEPTH = 2;

/**
 * Reads a list response (interface 1.3) without building its items. Returns the exact parser's result, or undefined if
 * that parser is needed, even if only to report an error.
 */
export function readListReply(
  body: Uint8Array,
  mostValues: number,
  knownItems: KnownItems = createKnownItems(),
): ListReply | undefined {
  const values = mostValues - MOST_VALUES_AROUND;
  const outline = outlineList(body, { list: "data", values, notable: RPC_URL_FIELDS, knownItems });
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

/** Returns the items of a parsed list. Each has an ID. */
export function listItemsOf(values: readonly JsonObject[]): ListItem[] {
  return values.map(builtItem);
}

export function itemValue(item: ListItem): JsonObject {
  return "value" in item ? item.value : built(item);
}

/**
 * Returns a function that reads some fields of the items of one response: building whole items would take longer than
 * everything else. An item that is already built keeps its other fields.
 */
export function createItemReader(fields: readonly string[]): (items: readonly ListItem[]) => JsonObject[] {
  const knownFields = createKnownFields(fields);
  return (items) => {
    const page = items.find((item) => !("value" in item))?.bytes;
    if (!page) return items.map(itemValue);
    const finder = new FieldFinder(page, knownFields);
    const reader = new FieldReader(page, fields);
    return items.map((item) => {
      if ("value" in item) return item.value;
      return finder.fieldsAt(item.start) ?? readFields(item, finder, reader);
    });
  };
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
