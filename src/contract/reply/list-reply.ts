import { utf8Text } from "../encoding/utf8.ts";
import { KnownKeys } from "../json/known-keys.ts";
import { FIELD, type ItemSpan, type ScannedList, scanList } from "../json/list-scanner.ts";
import { MAX_DEPTH } from "../json/parse.ts";
import { newJsonObject } from "../json/values.ts";
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../json.ts";
import { type LooseMembers, type Shape, setOddShapeAside } from "./shape.ts";

export { KnownKeys } from "../json/known-keys.ts";
export type { ItemSpan } from "../json/list-scanner.ts";

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
  /** Returns the memory of the items, once none is read anymore. */
  release(): void;
}

/** The maximum number of values around the items. */
const MOST_VALUES_AROUND = 10_000;
const ITEM_DEPTH = 2;

/** Returns undefined if that takes the exact parser (interface 1.3). @param known keys of earlier lists, for speed */
export function readListReply(
  body: Uint8Array,
  mostValues: number,
  known: KnownKeys = new KnownKeys(),
  { loose = [] }: Pick<Shape, "loose"> = {},
): ListReply | undefined {
  const list = scanList(body, { list: "data", values: mostValues - MOST_VALUES_AROUND, known });
  if (!list) return undefined;
  list.loose = loose;
  const around = `${utf8Text(body, 0, list.start)}[]${utf8Text(body, list.end, body.length)}`;
  try {
    const document = parseJson(around, { values: MOST_VALUES_AROUND });
    const items = list.hasOdd ? list.items.map((item) => (item.isOdd ? builtItem(buildItem(item)) : item)) : list.items;
    let lent: ScannedList | undefined = list;
    const release = () => {
      if (lent) known.giveNumbers(lent.numbers);
      lent = undefined;
    };
    return { document, items, release };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

export function listItemsOf(values: readonly JsonObject[]): ListItem[] {
  return values.map(builtItem);
}

export function listItemValue(item: ListItem): JsonObject {
  return "value" in item ? item.value : buildItem(item);
}

/** Returns an item field's JSON text, with a character for each byte, if it has one. */
export function listItemFieldText(item: ItemSpan, name: string): string | undefined {
  const index = item.list.keys.indexOf(name);
  if (index === undefined) return undefined;
  const { numbers } = item.list;
  for (let at = item.fieldsStart; at < item.fieldsEnd; at += FIELD)
    if (numbers[at] === index) return item.bytes.toString("latin1", numbers[at + 1], numbers[at + 2]);
  return undefined;
}

/** Building whole items would take longer than everything else. */
export function createListItemReader(names: readonly string[]): (items: readonly ListItem[]) => JsonObject[] {
  return (items) => {
    let list: ScannedList | undefined;
    let wanted: (string | undefined)[] = [];
    let loose: LooseMembers = [];
    return items.map((item) => {
      if ("value" in item) return item.value;
      if (item.list !== list) {
        list = item.list;
        wanted = list.keys.names.map((name) => (names.includes(name) ? name : undefined));
        loose = (list.loose ?? []).filter(([name]) => names.includes(name));
      }
      const fields = wantedFields(item, wanted);
      setOddShapeAside(fields, loose);
      return fields;
    });
  };
}

/** @param wanted for each key of the list its name, if it is wanted */
function wantedFields(item: ItemSpan, wanted: readonly (string | undefined)[]): JsonObject {
  const object = newJsonObject();
  const { numbers } = item.list;
  for (let at = item.fieldsStart; at < item.fieldsEnd; at += FIELD) {
    const name = wanted[numbers[at] as number];
    if (name !== undefined) object[name] = valueAt(item, numbers[at + 1] as number, numbers[at + 2] as number);
  }
  return object;
}

const [QUOTE, LETTER_F, LETTER_N, LETTER_T] = [0x22, 0x66, 0x6e, 0x74];

function valueAt({ bytes, isAscii }: ItemSpan, start: number, end: number): JsonValue {
  switch (bytes[start]) {
    case QUOTE:
      return isAscii ? bytes.toString("latin1", start + 1, end - 1) : parseJson(utf8Text(bytes, start, end));
    case LETTER_T:
      return true;
    case LETTER_F:
      return false;
    case LETTER_N:
      return null;
    default:
      return parseJson(utf8Text(bytes, start, end), { depth: MAX_DEPTH - ITEM_DEPTH });
  }
}

const encoder = new TextEncoder();

function builtItem(value: JsonObject): BuiltItem {
  const bytes = encoder.encode(value.id as string);
  return { value, isPlain: false, bytes, idStart: 0, idEnd: bytes.length };
}

function buildItem({ bytes, start, end, list }: ItemSpan): JsonObject {
  const value = parseJson(utf8Text(bytes, start, end), { depth: MAX_DEPTH - ITEM_DEPTH }) as JsonObject;
  setOddShapeAside(value, list.loose ?? []);
  return value;
}
