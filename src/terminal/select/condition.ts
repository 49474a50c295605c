import { AmountError } from "../../contract/amount.ts";
import { numberOf } from "../../contract/decimal.ts";
import { groupBy } from "../../contract/group-by.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import type { ResourceView } from "../view.ts";
import { compareOperands, compareTexts, compareWith } from "./compare.ts";
import { knownSelectField } from "./fields.ts";
import { type Operand, operandOf, orderedOperandOf } from "./operand.ts";
import { agePathOperand, derivedPath, fieldReader, pathValueText } from "./path.ts";

/** A parsed `--where`: whether an item is kept, and the dotted path that it reads. */
export interface Condition {
  (item: JsonObject): boolean;
  readonly field: string;
}

type Test = (value: JsonValue | undefined) => boolean;

const FORM = /^\s*(!?)\s*([\w.-]+)\s*(?:(!=|<=|>=|=|<|>|~)\s*(.*?))?\s*$/s;

/** Parses `field`, `!field`, or `field OP value` (promises 2.3). One element of a list is enough. @throws usage */
export function parseCondition(text: string, view: ResourceView, now = 0, flag = "--where", throws = false): Condition {
  const refuse = (rule: string) => usageError([{ where: flag, given: text, rule }]);
  const [, not, path, operator, value = ""] = FORM.exec(text) ?? [];
  // As a text, the value of `balance=<1eth` would never be equal.
  const isOdd = operator?.endsWith("=") && /^[<>~]/.test(value);
  if (path === undefined || (not && operator) || isOdd)
    throw refuse("needs field, !field or field OP value with OP one of = != < <= > >= ~");
  if (value.startsWith("=")) throw refuse("use a single = to compare");
  const field = knownSelectField(path, flag, view);
  const isAge = derivedPath(view, field)?.isAge === true;
  const isCompared = operator !== undefined && operator !== "~";
  const ages = () =>
    /[<>]/.test(operator ?? "") ? agePathOperand(value) : value.split(",").map(agePathOperand).join(",");
  const operand = isAge ? ages() : isCompared ? inUnit() : value;
  const test = operator ? compareTest(operator, operand, { refuse, isAge, throws }) : isSet;
  const read = fieldReader(view, field, now);
  return Object.assign((item: JsonObject) => test(read(item)) !== Boolean(not), { field });

  function inUnit(): string {
    try {
      return view.operand?.(field, value) ?? value;
    } catch (error) {
      if (!(error instanceof AmountError)) throw error;
      throw refuse(error.message);
    }
  }
}

interface Typed {
  refuse(rule: string): Error;
  isAge: boolean;
  /** Whether the condition itself throws, for a value that no word can equal: true and FALSE would match nothing. */
  throws: boolean;
}

function compareTest(operator: string, value: string, typed: Typed): Test {
  switch (operator) {
    case "=":
    case "!=": {
      const equal = equalsOne(value, typed);
      return (found) => equal(found) === (operator === "=");
    }
    case "~":
      return containsTest(value, typed);
    default:
      return orderTest(operator, value, typed);
  }
}

/** Returns whether a value is set: not absent, null, false, "", or an empty list or object; 0 is set. */
function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  const text = pathValueText(value);
  return text !== "" && text !== "[]" && text !== "{}";
}

function equalsOne(words: string, { refuse, throws }: Typed): Test {
  const operands = words.split(",").map((word) => operandOf(word.trim()));
  const takesBoolean = !throws || operands.some(({ text }) => ["true", "false", ""].includes(text));
  return anyField((value) => {
    if (typeof value === "boolean" && !takesBoolean) throw refuse("needs true or false");
    return operands.some((operand) => compareWith(value ?? "", operand) === 0);
  });
}

function containsTest(words: string, { refuse }: Typed): Test {
  if (words === "") throw refuse("needs a value after ~");
  const lowercase = words.toLowerCase();
  return anyField((value) => pathValueText(value).toLowerCase().includes(lowercase));
}

function orderTest(operator: string, word: string, { refuse, isAge }: Typed): Test {
  if (word === "") throw refuse(`needs a value after ${operator}`);
  const operand = orderedOperandOf(word, refuse, isAge);
  const holds = ORDER[operator] ?? (() => false);
  return anyField((value) => {
    const order = value === undefined || value === null ? undefined : compareWith(value, operand);
    return order !== undefined && holds(order);
  });
}

const ORDER: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

function anyField(test: Test): Test {
  return (value) => (Array.isArray(value) ? value.some(test) : test(value));
}

export interface Sort {
  (items: readonly JsonObject[]): JsonObject[];
  readonly field: string;
}

/** Parses `FIELD` or `-FIELD`. Integers compare exactly; items without it are last. @throws RelayctlError usage */
export function parseSort(text: string, resource: ResourceView, now = 0): Sort {
  const descending = text.startsWith("-");
  const field = knownSelectField(descending ? text.slice(1) : text, "--sort", resource);
  const read = fieldReader(resource, field, now);
  const sorted = (items: readonly JsonObject[]) => {
    const keyed = items.map((item) => ({ item, key: sortKey(read(item) ?? null) }));
    return keyed.sort((left, right) => compareKeys(left.key, right.key, descending)).map(({ item }) => item);
  };
  return Object.assign(sorted, { field });
}

export function sortKey(value: JsonValue): Operand | null {
  if (value === null) return null;
  const number = numberOf(value);
  return number ? { text: "", number } : { text: pathValueText(value) };
}

function compareKeys(left: Operand | null, right: Operand | null, descending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return descending ? compareOperands(right, left) : compareOperands(left, right);
}

/** Sorts a list by ID, since the service's order is not stable (facts 2). */
export function sortById(items: readonly JsonObject[]): JsonObject[] {
  const ids = items.map(({ id }) => (typeof id === "string" ? id : pathValueText(id)));
  if (ids.every((id, index) => index === 0 || compareTexts(ids[index - 1] ?? "", id) <= 0)) return [...items];
  const keyed = items.map((item, index) => ({ item, id: ids[index] ?? "" }));
  return keyed.sort((left, right) => compareTexts(left.id, right.id)).map(({ item }) => item);
}

/** Sorts the items of each context by ID, and leaves the contexts in their order. */
export function sortByIdInContexts(items: readonly JsonObject[]): JsonObject[] {
  return [...groupBy(items, ({ context }) => context).values()].flatMap(sortById);
}
