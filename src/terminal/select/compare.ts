import { compareDecimals, isNumber, numberOf } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Operand } from "./operand.ts";
import { valueText } from "./path.ts";

/**
 * A value against the right side of a condition: below 0, 0 or above 0. Numbers compare exactly at any size, however
 * they are spelled; texts by their code units. Nothing when a number meets a word.
 */
export function compareWith(value: JsonValue, operand: Operand): number | undefined {
  const number = numberOf(value);
  if (number && operand.number) return compareDecimals(number, operand.number);
  return isNumber(value) ? undefined : compareTexts(valueText(value), operand.text);
}

/** The order of `--sort`: numbers first and by size, then texts. */
export function compareOperands(left: Operand, right: Operand): number {
  if (left.number && right.number) return compareDecimals(left.number, right.number);
  if (left.number || right.number) return left.number ? -1 : 1;
  return compareTexts(left.text, right.text);
}

/** Plain code-unit order: the same everywhere, whatever the locale. */
export function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
