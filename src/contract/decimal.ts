import { type JsonValue, NumberLiteral } from "./json.ts";

/** A number without any loss: `units` times 10 to the power of minus `scale`. */
export interface Decimal {
  units: bigint;
  scale: number;
}

const DECIMAL = /^(-?(?:0|[1-9][0-9]*))(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/;
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const HEX = /^0x[0-9a-f]+$/i;
/** Longer texts are not parsed, since the time is quadratic in the digits. */
export const LONGEST_NUMBER = 1000;

/** Parses a number: decimal, with a fraction or an exponent, or `0x` digits. A leading zero makes it a text. */
export function decimalOf(text: string): Decimal | undefined {
  if (text.length > LONGEST_NUMBER) return undefined;
  if (HEX.test(text)) return { units: BigInt(text), scale: 0 };
  const found = DECIMAL.exec(text);
  if (!found) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = found;
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** Returns the number of a value: a JSON number, or a string with an integer, decimal or `0x` (facts 5.2). */
export function numberOf(value: JsonValue): Decimal | undefined {
  if (isNumber(value)) return decimalOf(String(value));
  return typeof value === "string" && (INTEGER.test(value) || HEX.test(value)) ? decimalOf(value) : undefined;
}

export function isNumber(value: unknown): value is number | bigint | NumberLiteral {
  return typeof value === "number" || typeof value === "bigint" || value instanceof NumberLiteral;
}

/** Compares exactly: below 0, 0, or above 0. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  if (left.scale === right.scale) return left.units === right.units ? 0 : left.units < right.units ? -1 : 1;
  const scale = Math.max(left.scale, right.scale);
  const difference = scaledUnits(left, scale) - scaledUnits(right, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Returns the units at a scale of at least the number's own. */
export function scaledUnits({ units, scale }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}

export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`;
}

/** Writes a count for people: `4,000`. */
export function groupDigits(count: number | string): string {
  return String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, ",");
}

/** Returns the first names, and how many more there are: `eth-main-1, eth-main-2, and 3 more`. */
export function firstNames(names: readonly string[], most = 20): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? `, and ${groupDigits(more)} more` : "");
}

/** Returns the first lines, and how many more there are in one below them, after `indent`. */
export function firstLines(lines: readonly string[], most: number, indent = ""): string[] {
  const more = lines.length - most;
  return [...lines.slice(0, most), ...(more > 0 ? [`${indent}and ${groupDigits(more)} more`] : [])];
}
