import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "./values.ts";

/** Matches characters of a text that `writeJson` writes unchanged: printable ASCII without an escape. */
const CHARACTERS = "[ !#-[\\]-~]*";
const NO_TEXT = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null";
const SCALAR = `(?:"${CHARACTERS}"|${NO_TEXT})`;
const USUAL_NAME = /^\w+$/;
/** Matching a repetition takes stack space; items with longer lists are scanned instead. */
const MOST_ENTRIES = 1000;
/** V8 does not optimize longer patterns (its limit is 20 KB), and this limits their memory. */
const LONGEST_PATTERN = 16_384;

/**
 * Returns the source of a pattern for items like this one: objects with the same keys in the same order, without
 * anything that the exact parser would reject or write differently. It captures everything before the ID, and the ID.
 * The next character decides each alternative, so a failed match costs no more than a successful one. Returns undefined
 * if the item cannot have a pattern.
 */
export function itemPattern(example: JsonObject): string | undefined {
  const id = keysOf(example).indexOf("id");
  if (id < 0 || !hasPattern(example)) return undefined;
  const fields = fieldPatterns(example, valuePattern);
  const [before, after] = [fields.slice(0, id), fields.slice(id + 1)];
  return notTooLong(`(\\{${[...before, '"id":"'].join(",")})(${CHARACTERS})${['"', ...after].join(",")}\\}`);
}

/**
 * Returns a pattern that captures some fields of items like this one: a text without its quotes, any other value as a
 * whole.
 */
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

/** Returns a pattern for a value. Any scalar matches any other, and null matches for any object. */
function valuePattern(value: JsonValue): string {
  if (Array.isArray(value)) return listPattern(valuePattern(value[0] ?? null));
  return isJsonObject(value) ? `(?:\\{${fieldPatterns(value, valuePattern).join(",")}\\}|null)` : SCALAR;
}

function heldValue(value: JsonValue): string {
  const isOpen = Array.isArray(value) || isJsonObject(value);
  return `(?:"(${CHARACTERS})"|(${isOpen ? valuePattern(value) : NO_TEXT}))`;
}

/**
 * Returns a pattern for a list. It contains the entry's pattern twice, which nested lists would double at each level;
 * so an item with nested lists has no pattern.
 */
function listPattern(entry: string): string {
  return `\\[(?:${entry}(?:,${entry}){0,${MOST_ENTRIES}})?\\]`;
}

/** @param inList whether the value is in a list, which must not contain another list */
function hasPattern(value: JsonValue, inList = false): boolean {
  if (Array.isArray(value)) return !inList && value.every((entry) => hasPattern(entry, true));
  return (
    !isJsonObject(value) ||
    keysOf(value).every((name) => USUAL_NAME.test(name) && hasPattern(value[name] ?? null, inList))
  );
}
