import { compareDecimals, type Decimal, decimalOf, scaledUnits } from "../../contract/decimal.ts";
import { isRoundedNumber, type JsonValue } from "../../contract/json.ts";
import { compareOperands } from "./compare.ts";
import { findSortKey } from "./condition.ts";
import type { Operand } from "./operand.ts";

export function exactQueryNumber(number: number): number {
  if (!isRoundedNumber(number)) return number;
  throw new Error(Number.isNaN(number) ? "not-a-number" : "computes a number beyond 2^53, which JMESPath rounds");
}

const INEXACT = "computes a fraction with more digits than JMESPath keeps";

function fromDecimal(decimal: Decimal): number {
  const number = exactQueryNumber(Number(`${decimal.units}e${-decimal.scale}`));
  const kept = decimalOf(String(number));
  if (kept && compareDecimals(kept, decimal) === 0) return number;
  throw new Error(INEXACT);
}

/** The decimal places that a quotient may have: more than a number keeps. */
const PLACES = 20;

/** Returns the exact result; undefined where the library finds a mistake. @param operator the library's name of it */
export function computeQueryNumber(operator: unknown, left: unknown, right: unknown): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  if (operator === "Plus" && Number.isInteger(left) && Number.isInteger(right)) return exactQueryNumber(left + right);
  const decimals = [left, right].map((each) => decimalOf(String(exactQueryNumber(each))) ?? { units: 0n, scale: 0 });
  const scale = Math.max(...decimals.map((each) => each.scale));
  const [a = 0n, b = 0n] = decimals.map((each) => scaledUnits(each, scale));
  const shift = 10n ** BigInt(PLACES);
  switch (operator) {
    case "Plus":
      return fromDecimal({ units: a + b, scale });
    case "Minus":
      return fromDecimal({ units: a - b, scale });
    case "Multiply":
    case "Star":
      return fromDecimal({ units: a * b, scale: 2 * scale });
  }
  if (b === 0n) return undefined;
  if (operator === "Modulo") return fromDecimal({ units: a % b, scale });
  if (operator === "Div")
    return fromDecimal({ units: a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n), scale: 0 });
  if ((a * shift) % b !== 0n) throw new Error(INEXACT);
  return fromDecimal({ units: (a * shift) / b, scale: PLACES });
}

/** What the library keeps to itself. */
interface Runtime {
  _interpreter: { visit(node: unknown, value: unknown): unknown };
  _functionTable: Record<string, { _func: (given: unknown[]) => unknown }>;
  getTypeName(value: unknown): unknown;
}

interface Keyed {
  item: unknown;
  key: Operand;
}

/** Replaces the library's functions that order or compute. @param numberOf returns a number that it got as a symbol */
export function replaceQueryFunctions(replaced: object, numberOf: (value: unknown) => JsonValue): void {
  const runtime = replaced as Runtime;
  const { getTypeName } = runtime;
  const [NUMBER, TEXT] = [getTypeName(0), getTypeName("")];
  runtime.getTypeName = (value) => (typeof value === "symbol" ? NUMBER : getTypeName(value));

  function keyed(this: Runtime, [list, reference]: unknown[]): Keyed[] {
    const items = list as unknown[];
    const keys = reference ? items.map((item) => this._interpreter.visit(reference, item)) : items;
    const types = new Set(keys.map((key) => this.getTypeName(key)));
    if (types.size > 1 || !keys.every((key) => [NUMBER, TEXT].includes(this.getTypeName(key))))
      throw new Error("Invalid type: only numbers can be ordered, or only texts");
    return items.map((item, index) => ({ item, key: findSortKey(numberOf(keys[index])) as Operand }));
  }

  function sort(this: Runtime, given: unknown[]) {
    const sorted = keyed.call(this, given).sort((one, other) => compareOperands(one.key, other.key));
    return sorted.map(({ item }) => item);
  }

  const extreme = (sign: number) =>
    function (this: Runtime, given: unknown[]) {
      const isBeyond = (one: Keyed, best: Keyed) => sign * compareOperands(one.key, best.key) > 0;
      const [first, ...others] = keyed.call(this, given);
      return first ? others.reduce((best, each) => (isBeyond(each, best) ? each : best), first).item : null;
    };

  const sum = ([list]: unknown[]) =>
    (list as number[]).reduce((total, each) => computeQueryNumber("Plus", total, each) ?? 0, 0);
  const functions = {
    ...{ sort, sort_by: sort, max: extreme(1), max_by: extreme(1), min: extreme(-1), min_by: extreme(-1), sum },
    avg: ([list]: unknown[]) => computeQueryNumber("Divide", sum([list]), (list as unknown[]).length) ?? null,
    reverse: ([value]: unknown[]) =>
      typeof value === "string" ? [...value].reverse().join("") : [...(value as unknown[])].reverse(),
    to_number([value]: unknown[]) {
      const decimal = typeof value === "string" ? decimalOf(value) : undefined;
      return decimal ? fromDecimal(decimal) : typeof value === "number" ? value : null;
    },
  };
  for (const [name, own] of Object.entries(functions)) {
    const known = runtime._functionTable[name];
    if (known) runtime._functionTable[name] = { ...known, _func: own };
  }
}
