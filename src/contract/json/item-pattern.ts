import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "./values.ts";

/** The characters of a text that stands as `writeJson` writes it, and is what it says: printable ASCII without an escape. */
const CHARACTERS = "[ !#-[\\]-~]*";
const NO_TEXT = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null";
const SCALAR = `(?:"${CHARACTERS}"|${NO_TEXT})`;
const USUAL_NAME = /^\w+$/;
/** What repeats is held on a stack while a pattern is tried; an item with longer lists is read in another way. */
const MOST_ENTRIES = 1000;
/** V8 makes no fast code of a longer one (its limit is 20 KB), and the memory that one takes is bounded. */
const LONGEST_PATTERN = 16_384;

/**
 * The source of a pattern for items like this one: objects with the same names in the same order, and nothing in them that the
 * exact reader would refuse or write otherwise. It holds all before the text of the id, and that text. Each choice in it is
 * settled by the next character, so that to fail costs no more than to match. Nothing for an item that has no such pattern.
 */
export function itemPattern(example: JsonObject): string | undefined {
  const id = keysOf(example).indexOf("id");
  if (id < 0 || !hasPattern(example)) return undefined;
  const fields = fieldPatterns(example, valuePattern);
  const [before, after] = [fields.slice(0, id), fields.slice(id + 1)];
  return notTooLong(`(\\{${[...before, '"id":"'].join(",")})(${CHARACTERS})${['"', ...after].join(",")}\\}`);
}

/** The same for items of which some members are read: of each it holds the text without its quotes, or else the value. */
export function fieldsPattern(example: JsonObject, names: readonly string[]): string | undefined {
  if (!hasPattern(example)) return undefined;
  const fields = fieldPatterns(example, (value, name) =>
    names.includes(name) ? heldValue(value) : valuePattern(value),
  );
  return notTooLong(`\\{${fields.join(",")}\\}`);
}

function notTooLong(source: string): string | undefined {
  return source.length > LONGEST_PATTERN ? undefined : source;
}

function fieldPatterns(example: JsonObject, patternFor: (value: JsonValue, name: string) => string): string[] {
  return keysOf(example).map((name) => `"${name}":${patternFor(example[name] ?? null, name)}`);
}

/** Scalars stand for each other, and null for any object. */
function valuePattern(value: JsonValue): string {
  if (Array.isArray(value)) return listPattern(valuePattern(value[0] ?? null));
  return isJsonObject(value) ? `(?:\\{${fieldPatterns(value, valuePattern).join(",")}\\}|null)` : SCALAR;
}

function heldValue(value: JsonValue): string {
  const isOpen = Array.isArray(value) || isJsonObject(value);
  return `(?:"(${CHARACTERS})"|(${isOpen ? valuePattern(value) : NO_TEXT}))`;
}

/** The entry stands in it twice. A list in an entry would double that again for each level, so that such an item has no pattern. */
function listPattern(entry: string): string {
  return `\\[(?:${entry}(?:,${entry}){0,${MOST_ENTRIES}})?\\]`;
}

/** @param inList whether it is in a list already, which then may hold no other */
function hasPattern(value: JsonValue, inList = false): boolean {
  if (Array.isArray(value)) return !inList && value.every((entry) => hasPattern(entry, true));
  return (
    !isJsonObject(value) ||
    keysOf(value).every((name) => USUAL_NAME.test(name) && hasPattern(value[name] ?? null, inList))
  );
}
