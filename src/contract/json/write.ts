import { asReceived, Fields, type JsonObject, type JsonValue, keysOf, NumberLiteral } from "./values.ts";

export function writeJson(value: JsonValue): string {
  return writeIndented(value, "", "");
}

/** Returns a text itself, and any other value as JSON. @param most characters of it */
export function asText(value: JsonValue, most = Number.POSITIVE_INFINITY): string {
  const text = typeof value === "string" ? value : writeJson(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

// A parsed object inherits nothing, so converting it to a text would throw.
Object.defineProperty(Fields.prototype, Symbol.toPrimitive, {
  value(this: JsonObject) {
    return writeJson(this);
  },
});

/** Returns whether `writeJson` would write a parsed JSON text unchanged; false for some such texts, too. */
export function isCompactJson(json: string): boolean {
  return !/\\|[ \t\n\r][{}[\],:]|[{}[\],:][ \t\n\r]/.test(json);
}

/** Deeper values are on one line: indents could make a small text a hundred times as long. */
const MOST_INDENTED = 16;

export function prettyJson(value: JsonValue): string {
  return writeIndented(value, "  ", "\n");
}

function writeIndented(value: JsonValue, step: string, newline: string): string {
  if (typeof value === "string") return quoteJson(value);
  if (value === null || typeof value !== "object") return writeScalar(value);
  if (value instanceof NumberLiteral) return value.text;
  if (newline.length > MOST_INDENTED * step.length) return writeJson(value);
  const inner = newline + step;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${inner}${value.map((item) => writeIndented(item, step, inner)).join(`,${inner}`)}${newline}]`;
  }
  const fields = writeFields(value, step, inner);
  return fields === "" ? "{}" : `{${fields}${newline}}`;
}

function writeFields(object: JsonObject, step: string, inner: string): string {
  const colon = inner ? ": " : ":";
  let fields = "";
  for (const key of keysOf(object)) {
    const value = asReceived(object, key);
    if (value === undefined) continue;
    fields += (fields && ",") + inner + quoteJson(key) + colon + writeIndented(value, step, inner);
  }
  return fields;
}

function writeScalar(value: null | boolean | number | bigint): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("not a JSON number");
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Matches printable ASCII without quote and backslash, like nearly every text. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoteJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
