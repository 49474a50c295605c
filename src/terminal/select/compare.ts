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

/** The order of `--sort`: numbers first and by size, then texts; absent and null after all of them. */
export function compareValues(left: JsonValue, right: JsonValue): number {
  const leftNumber = numberOf(left);
  const rightNumber = numberOf(right);
  if (leftNumber && rightNumber) return compareDecimals(leftNumber, rightNumber);
  if (leftNumber || rightNumber) return leftNumber ? -1 : 1;
  return compareTexts(valueText(left), valueText(right));
}

/** Plain code-unit order: the same everywhere, whatever the locale. */
export function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
