import { compareDecimals, isNumber, numberOf } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Operand } from "./operand.ts";
import { pathValueText } from "./path.ts";

/** Compares numbers exactly, texts by code units; undefined for a number and a word. */
export function compareWith(value: JsonValue, operand: Operand): number | undefined {
  const number = numberOf(value);
  if (number && operand.number) return compareDecimals(number, operand.number);
  return isNumber(value) ? undefined : compareTexts(pathValueText(value), operand.text);
}

/** Compares for `--sort`: numbers first and by size, then texts. */
export function compareOperands(left: Operand, right: Operand): number {
  if (left.number && right.number) return compareDecimals(left.number, right.number);
  if (left.number || right.number) return left.number ? -1 : 1;
  return compareTexts(left.text, right.text);
}

/** Compares by code units: the same in every locale. */
export function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
