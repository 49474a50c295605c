import { decimalOf, isNumber } from "../../contract/decimal.ts";
import { isJsonObject, type JsonValue, writeJson } from "../../contract/json.ts";

/** Returns the same text for equal values: numbers normalized, members sorted, nulls left out. */
export function canonicalJson(value: JsonValue): string {
  if (isNumber(value)) return canonicalNumber(String(value));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return writeJson(value);
  return canonicalObject(Object.entries(value).map(([name, member]) => [name, canonicalText(member)]));
}

/** Returns the text of an object with the texts of its members, without members that have no text. */
export function canonicalObject(members: readonly (readonly [name: string, text: string | undefined])[]): string {
  const present = members.filter(([, text]) => text !== undefined);
  const sorted = present.sort(([one], [other]) => byText(one, other));
  return `{${sorted.map(([name, text]) => `${writeJson(name)}:${text}`).join(",")}}`;
}

/** Returns the text of a value; undefined for null, an absent value, or an empty object, which are equal. */
export function canonicalText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = canonicalJson(value);
  return text === "{}" ? undefined : text;
}

export function canonicalSet(texts: readonly string[]): string {
  return `[${[...new Set(texts)].sort(byText).join(",")}]`;
}

/** Compares two texts, regardless of the locale. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Writes `1e3`, `1000`, and `1000.0` as `1000`, and `0.10` as `1e-1`. */
function canonicalNumber(text: string): string {
  const decimal = decimalOf(text);
  if (!decimal) return text;
  let { units, scale } = decimal;
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale--;
  }
  return scale > 0 ? `${units}e-${scale}` : String(units);
}
