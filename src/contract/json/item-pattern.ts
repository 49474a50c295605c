import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "./values.ts";

/** Matches characters of a text that `writeJson` writes unchanged: printable ASCII without an escape. */
const CHARACTERS = "[ !#-[\\]-~]*";
const NO_TEXT = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null";
const SCALAR = `(?:"${CHARACTERS}"|${NO_TEXT})`;
const USUAL_NAME = /^\w+$/;
/** Repetitions use a stack while a pattern is matched; items with longer lists are read in another way. */
const MOST_ENTRIES = 1000;
/** V8 does not optimize longer patterns (its limit is 20 KB), and this limits their memory. */
const LONGEST_PATTERN = 16_384;

/**
 * Returns the source of a pattern for items like this one: objects with the same keys in the same order, without
 * anything that the exact parser would refuse or write differently. It captures everything before the text of the ID,
 * and that text. The next character decides each choice, so that a failure costs no more than a match. Returns
 * undefined for an item without such a pattern.
 */
export function itemPattern(example: JsonObject): string | undefined {
  const id = keysOf(example).indexOf("id");
  if (id < 0 || !hasPattern(example)) return undefined;
  const fields = fieldPatterns(example, valuePattern);
  const [before, after] = [fields.slice(0, id), fields.slice(id + 1)];
  return notTooLong(`(\\{${[...before, '"id":"'].join(",")})(${CHARACTERS})${['"', ...after].join(",")}\\}`);
}

/**
 * Returns a pattern for items of which some fields are read: it captures the text of each without its quotes, or the
 * value.
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
 * Returns a pattern for a list, which contains the entry twice. A nested list would double that at each level, so such
 * an item has no pattern.
 */
function listPattern(entry: string): string {
  return `\\[(?:${entry}(?:,${entry}){0,${MOST_ENTRIES}})?\\]`;
}

/** @param inList whether it is already in a list, which may then contain no other list */
function hasPattern(value: JsonValue, inList = false): boolean {
  if (Array.isArray(value)) return !inList && value.every((entry) => hasPattern(entry, true));
  return (
    !isJsonObject(value) ||
    keysOf(value).every((name) => USUAL_NAME.test(name) && hasPattern(value[name] ?? null, inList))
  );
}
