import { compareDecimals, decimalOf, isNumber } from "../../contract/decimal.ts";
import {
  asReceived,
  isJsonObject,
  isRoundedNumber,
  type JsonValue,
  jsonNamesSetAside,
  listIn,
  NumberLiteral,
  tryParseJson,
} from "../../contract/json.ts";
import { elseOnError, type RelayctlError, usageError } from "../../errors.ts";
import { computeQueryNumber, countSymbolsAsNumbers, exactQueryNumber, replaceQueryFunctions } from "./query-numbers.ts";

/** Functions that compute with numbers; all others pass, count, or order values, or only read texts. */
const COMPUTING = ["abs", "avg", "ceil", "floor", "sum", "to_number", "to_string"];

type SyntaxNode = Readonly<Record<string, unknown>>;

/** Returns whether a rounded number could change an expression. Equality with a text, a boolean, or null can't. */
function computesNumber(expression: SyntaxNode): boolean {
  return someNode(expression, (node) => {
    if (node.type === "Comparator") return !comparesWithWord(node);
    if (node.type === "Function" && node.name === "contains") return ![node.children].flat().some(isWord);
    if (node.type === "Function") return COMPUTING.includes(String(node.name));
    return node.type === "Arithmetic" || node.type === "Unary";
  });
}

function comparesWithWord(node: SyntaxNode): boolean {
  return (node.name === "EQ" || node.name === "NE") && [node.left, node.right].some(isWord);
}

function isWord(node: unknown): boolean {
  if (!isNode(node) || node.type !== "Literal") return false;
  return node.value === null || typeof node.value === "string" || typeof node.value === "boolean";
}

function someNode(node: SyntaxNode, is: (node: SyntaxNode) => boolean): boolean {
  const inner = node.type === "Literal" ? [] : Object.values(node).flat();
  return is(node) || inner.some((part) => isNode(part) && someNode(part, is));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Replaces numbers that JavaScript would round with symbols, which the library only passes through, in the value itself: a
 * copy of a list would take as much memory again.
 */
class Concealer {
  readonly symbols = new Map<string, symbol>();
  private readonly numbers = new Map<unknown, JsonValue>();
  private readonly changed = new Set<unknown>();

  concealed(value: JsonValue): unknown {
    if (value instanceof NumberLiteral || typeof value === "bigint") return this.symbolFor(value);
    if (typeof value === "number" && isRoundedNumber(value)) return this.symbolFor(value);
    if (replaceIn(value, (given) => this.concealed(given as JsonValue))) this.changed.add(value);
    return value;
  }

  /** Converts a result of the library back to JSON, with every digit, and the data too. */
  reveal(result: unknown): JsonValue {
    const revealed = this.revealed(result);
    for (const value of this.changed) replaceIn(value, (given) => this.numbers.get(given) ?? given);
    return revealed;
  }

  private revealed(result: unknown): JsonValue {
    const number = this.numbers.get(result);
    if (number !== undefined) return number;
    if (typeof result === "string" || typeof result === "number" || typeof result === "boolean") return result;
    if (!Array.isArray(result) && !isJsonObject(result)) return null;
    if (!this.changed.has(result)) replaceIn(result, (given) => this.revealed(given));
    return result;
  }

  /** Returns the number of a symbol, and any other value itself. */
  readonly numberOf = (value: unknown): JsonValue => this.numbers.get(value) ?? (value as JsonValue);

  private symbolFor(value: number | bigint | NumberLiteral): symbol {
    const digits = String(value);
    const symbol = this.symbols.get(digits) ?? Symbol(digits);
    this.symbols.set(digits, symbol);
    this.numbers.set(symbol, value);
    return symbol;
  }
}

function replaceIn(value: unknown, replaced: (given: unknown) => unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  let isChanged = false;
  for (const key of Object.keys(fields)) {
    const other = replaced(fields[key]);
    if (other === fields[key]) continue;
    // A field may be named `__proto__`.
    Object.defineProperty(fields, key, { value: other });
    isChanged = true;
  }
  return isChanged;
}

/** A parsed JMESPath expression; returns its result for a value, or throws a usage error. */
export type Query = (value: JsonValue) => JsonValue;

type Library = typeof import("@jmespath-community/jmespath");
type Interpreter = Library["TreeInterpreter"];
type Data = Parameters<Interpreter["search"]>[1];

type Arithmetic = Extract<Parameters<Interpreter["visit"]>[0], { type: "Arithmetic" }>;

/** Checks the result of each part, since a rounded number could end in a text or a comparison. Nested maps multiply. */
function boundVisits(interpreter: Interpreter, visits: { left: number }): Interpreter {
  const visit = interpreter.visit.bind(interpreter);
  const withScope = interpreter.withScope.bind(interpreter);
  const { runtime } = interpreter;
  const callFunction = runtime.callFunction.bind(runtime);
  countSymbolsAsNumbers(runtime);
  runtime.callFunction = (name, given) => {
    const most = /^(pad|replace)/.test(name) ? 10_000 : Number.POSITIVE_INFINITY;
    if (given.some((each) => typeof each === "number" && each > most)) throw tooManySteps();
    return callFunction(name, given);
  };
  const literal = (value: unknown) => ({ type: "Literal", value: value as Data }) as const;
  const arithmetic = (node: Arithmetic, value: Data) => {
    const [left, right] = [interpreter.visit(node.left, value), interpreter.visit(node.right, value)];
    const result = computeQueryNumber(node.operator, left, right);
    return result ?? visit({ ...node, left: literal(left), right: literal(right) }, value);
  };
  return Object.assign(interpreter, {
    withScope: (scope: Parameters<typeof withScope>[0]) => boundVisits(withScope(scope), visits),
    visit(node: Parameters<typeof visit>[0], value: Data) {
      if (visits.left-- <= 0) throw tooManySteps();
      const result = node.type === "Arithmetic" ? arithmetic(node, value) : visit(node, value);
      return typeof result === "number" ? exactQueryNumber(result) : result;
    },
  });
}

const tooManySteps = () => new Error("takes too many steps");

const COMPARES_EXACTLY = "--where compares exactly";

/** Never computes with a rounded integer (promises 2.3). @throws RelayctlError usage, with the column of the mistake */
export async function parseQuery(expression: string): Promise<Query> {
  const tooMuch = boundProblem(expression);
  if (tooMuch !== undefined) throw queryError(expression.slice(0, SHOWN), tooMuch);
  const library = await import("@jmespath-community/jmespath");
  const tree = compileQuery(expression, library);
  if (hasRoundedLiteral(expression, library))
    throw queryError(expression, `contains a number that JMESPath would round; ${COMPARES_EXACTLY}`);
  return (value) => {
    const concealer = new Concealer();
    const data = concealer.concealed(toJmes(value));
    if (isNode(tree) && concealer.symbols.size > 0 && computesNumber(tree))
      throw queryError(
        expression,
        `compares or computes where the result has an integer above 2^53, which JMESPath would round; ${COMPARES_EXACTLY}`,
      );
    try {
      const interpreter = new (library.TreeInterpreter.constructor as new () => Interpreter)();
      const visits = { left: 10_000_000 + 100 * listIn(value).length };
      // Scopes share the table of functions.
      replaceQueryFunctions(interpreter.runtime, concealer.numberOf);
      return concealer.reveal(boundVisits(interpreter, visits).search(tree, data as Data));
    } catch (error) {
      const isExplained = error instanceof Error && !(error instanceof TypeError);
      throw queryError(expression, isExplained ? error.message : "cannot be applied to this result");
    }
  };
}

/** Returns whether the library, which reads a literal as JavaScript does, would change a number in it. */
function hasRoundedLiteral(expression: string, library: Library): boolean {
  const starts = library.tokenize(expression).flatMap(({ type, start }) => (type === "Literal" ? start : []));
  return starts.some((start) => {
    const [, text = ""] = /^`((?:\\.|[^`\\])*)`/s.exec(expression.slice(start)) ?? [];
    return isRounded(tryParseJson(text));
  });
}

function isRounded(value: JsonValue | undefined): boolean {
  if (Array.isArray(value) || isJsonObject(value)) return Object.values(value).some(isRounded);
  const number = isNumber(value) && Number(value);
  if (number === false) return false;
  const [meant, kept] = [decimalOf(String(value)), decimalOf(String(number))];
  return isRoundedNumber(number) || !meant || !kept || compareDecimals(meant, kept) !== 0;
}

/** Restores set-aside members in the value, which nothing else reads anymore. */
function toJmes(value: JsonValue): JsonValue {
  for (const item of Array.isArray(value) ? value : [value])
    if (isJsonObject(item)) for (const name of jsonNamesSetAside(item)) item[name] = asReceived(item, name) ?? null;
  return value;
}

/** The library's parser recurses per level, and finding a mistake takes superlinear time. */
const [MOST_CHARACTERS, MOST_LEVELS, SHOWN] = [4_096, 50, 60];

function boundProblem(expression: string): string | undefined {
  if (expression.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`;
  let [level, deepest] = [0, 0];
  for (const character of expression) {
    if ("([{".includes(character)) level++;
    else if (")]}".includes(character)) level--;
    deepest = Math.max(deepest, level);
  }
  return deepest > MOST_LEVELS ? `is nested more than ${MOST_LEVELS} deep` : undefined;
}

function compileQuery(expression: string, library: Library): ReturnType<Library["compile"]> {
  try {
    return library.compile(expression);
  } catch {
    const column = errorColumn(expression, library);
    const ending = column > expression.length ? ", where it ends too early" : "";
    throw queryError(expression, `invalid JMESPath expression at column ${column}${ending}`);
  }
}

function queryError(given: string, rule: string): RelayctlError {
  return usageError([{ where: "--query", given, rule }]);
}

/** Counts from 1, to the first token that makes it wrong, not only incomplete. */
function errorColumn(expression: string, library: Library): number {
  const end = readableLength(expression, library);
  const readable = expression.slice(0, end);
  const starts = library.tokenize(readable).map((token) => token.start);
  const wrong = starts.findIndex((_, index) => !couldContinue(readable.slice(0, starts[index + 1]), library));
  return (starts[wrong] ?? end) + 1;
}

function readableLength(expression: string, library: Library): number {
  for (let length = expression.length; length > 0; length--) {
    if (elseOnError(() => library.tokenize(expression.slice(0, length)))) return length;
  }
  return 0;
}

function couldContinue(beginning: string, library: Library): boolean {
  try {
    library.compile(beginning);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes("EOF");
  }
}
