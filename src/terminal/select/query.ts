import { asReceived, isJsonObject, type JsonValue, namesSetAside } from "../../contract/json.ts";
import { type RelayctlError, usageError } from "../../errors.ts";
import { computes, holdsLargeLiteral, isNode, readsNumbers, type SyntaxNode } from "./query/computing.ts";
import { type Concealed, conceal, RoundedResult } from "./query/concealed.ts";
import { errorColumn } from "./query/error-column.ts";

/** A parsed JMESPath expression; returns its result for a value, or throws a usage error. */
export type Query = (value: JsonValue) => JsonValue;

type Library = typeof import("@jmespath-community/jmespath");

const USE_WHERE = "which JMESPath would round; --where compares exactly";

/**
 * Parses the expression of `--query`. Integers of any size pass through unchanged, and an expression that would compare
 * or compute with a rounded integer is rejected (promises 2.3).
 * @throws RelayctlError usage, with the column of the mistake
 */
export async function parseQuery(expression: string): Promise<Query> {
  const tooMuch = boundProblem(expression);
  if (tooMuch !== undefined) throw refused(expression.slice(0, SHOWN), tooMuch);
  const library = await import("@jmespath-community/jmespath");
  const tree = compiled(expression, library);
  if (isNode(tree) && holdsLargeLiteral(tree)) throw refused(expression, `holds an integer above 2^53, ${USE_WHERE}`);
  return (value) => {
    const concealed = conceal(received(value));
    if (isNode(tree) && wouldRound(tree, concealed)) {
      throw refused(expression, `compares or computes where the result has an integer above 2^53, ${USE_WHERE}`);
    }
    return applied(expression, library, concealed);
  };
}

/** Puts what was set aside back, in the value itself: nothing else reads it anymore. */
function received(value: JsonValue): JsonValue {
  for (const item of Array.isArray(value) ? value : [value])
    if (isJsonObject(item)) for (const name of namesSetAside(item)) item[name] = asReceived(item, name) ?? null;
  return value;
}

/** The library's parser calls itself for each level, and finding a mistake takes time that grows faster than the text. */
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

function compiled(expression: string, library: Library): unknown {
  try {
    return library.compile(expression);
  } catch {
    throw refused(expression, `invalid JMESPath expression at column ${errorColumn(expression, library)} on`);
  }
}

function wouldRound(tree: SyntaxNode, { holdsLarge, holdsLargeText }: Concealed): boolean {
  return (holdsLarge && computes(tree)) || (holdsLargeText && readsNumbers(tree));
}

function applied(expression: string, library: Library, concealed: Concealed): JsonValue {
  try {
    return concealed.reveal(library.search(concealed.data as Parameters<Library["search"]>[0], expression));
  } catch (error) {
    if (error instanceof RoundedResult) throw refused(expression, error.message);
    throw refused(expression, error instanceof Error ? error.message : "cannot be applied to this result");
  }
}

function refused(given: string, rule: string): RelayctlError {
  return usageError([{ where: "--query", given, rule }]);
}
