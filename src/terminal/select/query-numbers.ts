import {
  compareDecimals,
  type Decimal,
  decimalOf,
  isNumber,
  LONGEST_NUMBER,
  scaledUnits,
} from "../../contract/decimal.ts";
import { isRoundedNumber, type JsonValue } from "../../contract/json.ts";
import { compareOperands } from "./compare.ts";
import { sortKey } from "./condition.ts";
import type { Operand } from "./operand.ts";

export function exactQueryNumber(number: number): number {
  if (!isRoundedNumber(number)) return number;
  throw new Error(Number.isNaN(number) ? "not-a-number" : "computes a number beyond 2^53, which JMESPath rounds");
}

const INEXACT = "computes a fraction with more digits than JMESPath keeps";

function toDecimal(number: number): Decimal {
  return decimalOf(String(exactQueryNumber(number))) ?? { units: 0n, scale: 0 };
}

function nearestNumber({ units, scale }: Decimal): number {
  return Number(`${units}e${-scale}`);
}

function fromDecimal(decimal: Decimal): number {
  const number = exactQueryNumber(nearestNumber(decimal));
  const kept = decimalOf(String(number));
  if (kept && compareDecimals(kept, decimal) === 0) return number;
  throw new Error(INEXACT);
}

/** Returns the exact result, a quotient as near as JMESPath; undefined if the library has to report a mistake. */
export function computeQueryNumber(operator: unknown, left: unknown, right: unknown): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const isExact = Number.isSafeInteger(left) && Number.isSafeInteger(right);
  if (isExact && operator === "Plus") return exactQueryNumber(left + right);
  const [one, other] = [toDecimal(left), toDecimal(right)];
  const scale = Math.max(one.scale, other.scale);
  const [a, b] = [scaledUnits(one, scale), scaledUnits(other, scale)];
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
  return divideDecimals(one, other);
}

/** A fraction may be rounded, but not to an integer, and an integer never. */
function divideDecimals(dividend: Decimal, divisor: Decimal): number {
  const scale = Math.max(dividend.scale, divisor.scale);
  const [a, b] = [scaledUnits(dividend, scale), scaledUnits(divisor, scale)];
  if (a % b === 0n) return fromDecimal({ units: a / b, scale: 0 });
  const areExact = [a, b].every((units) => Number.isSafeInteger(Number(units)));
  const quotient = areExact ? Number(a) / Number(b) : nearestNumber(dividend) / nearestNumber(divisor);
  if (Number.isInteger(exactQueryNumber(quotient))) throw new Error(INEXACT);
  return quotient;
}

function addAll(numbers: readonly number[]): Decimal {
  let [total, isExact] = [0, true];
  for (const number of numbers) {
    total += number;
    isExact &&= Number.isSafeInteger(number) && Number.isSafeInteger(total);
  }
  if (isExact) return { units: BigInt(total), scale: 0 };
  const decimals = numbers.map(toDecimal);
  const scale = decimals.reduce((most, each) => Math.max(most, each.scale), 0);
  return { units: decimals.reduce((sum, each) => sum + scaledUnits(each, scale), 0n), scale };
}

/** The parts of the library's runtime that its types leave out. */
interface Runtime {
  _interpreter: { visit(node: unknown, value: unknown): unknown };
  _functionTable: Record<string, { _func: (given: unknown[]) => unknown }>;
  getTypeName(value: unknown): unknown;
}

/** A number that is exact as it is, or what a condition compares. */
type Key = number | Operand;

interface Keyed {
  item: unknown;
  key: Key;
}

function compareKeys(one: Key, other: Key): number {
  return typeof one === "number" || typeof other === "number"
    ? Number(one) - Number(other)
    : compareOperands(one, other);
}

function orderedOperand(value: JsonValue): Operand {
  const operand = sortKey(value) ?? { text: "" };
  if (isNumber(value) && !operand.number) throw new Error(`orders a number of more than ${LONGEST_NUMBER} digits`);
  return operand;
}

/** Lets the library take a symbol for a number. */
export function countSymbolsAsNumbers(replaced: object): void {
  const runtime = replaced as Runtime;
  const getTypeName = runtime.getTypeName.bind(runtime);
  runtime.getTypeName = (value) => getTypeName(typeof value === "symbol" ? 0 : value);
}

/** Replaces the library's functions that order or compute. @param numberOf returns a number that it got as a symbol */
export function replaceQueryFunctions(replaced: object, numberOf: (value: unknown) => JsonValue): void {
  const runtime = replaced as Runtime;

  function keyed(this: Runtime, [list, reference]: unknown[]): Keyed[] {
    const items = list as unknown[];
    const keys = reference ? items.map((item) => this._interpreter.visit(reference, item)) : items;
    const types = new Set(keys.map((key) => this.getTypeName(key)));
    const areNumbers = keys.every((key): key is number => typeof key === "number");
    if (types.size > 1 || ![...types].every((type) => type === this.getTypeName(0) || type === this.getTypeName("")))
      throw new Error("Invalid type: the keys must be all numbers or all strings");
    if (areNumbers) return keys.map((key, index) => ({ item: items[index], key }));
    return keys.map((key, index) => ({ item: items[index], key: orderedOperand(numberOf(key)) }));
  }

  function sort(this: Runtime, given: unknown[]) {
    const sorted = keyed.call(this, given).sort((one, other) => compareKeys(one.key, other.key));
    return sorted.map(({ item }) => item);
  }

  const extreme = (sign: number) =>
    function (this: Runtime, given: unknown[]) {
      const isBeyond = (one: Keyed, best: Keyed) => sign * compareKeys(one.key, best.key) > 0;
      const [first, ...others] = keyed.call(this, given);
      return first ? others.reduce((best, each) => (isBeyond(each, best) ? each : best), first).item : null;
    };

  const functions = {
    ...{ sort, sort_by: sort, max: extreme(1), max_by: extreme(1), min: extreme(-1), min_by: extreme(-1) },
    sum: ([list]: unknown[]) => fromDecimal(addAll(list as number[])),
    avg([list]: unknown[]) {
      const numbers = list as number[];
      return numbers.length === 0 ? null : divideDecimals(addAll(numbers), { units: BigInt(numbers.length), scale: 0 });
    },
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
