import { type JsonValue, prettyJson } from "../../contract/json.ts";
import { pipedJson } from "../escape.ts";

/** Returns a value as JSON, indented by two spaces, with a line ending. */
export function jsonText(value: JsonValue): string {
  return `${pipedJson(prettyJson(value))}\n`;
}

/** Yields a list as one JSON document in pieces, so that a long list need not fit into a single text. */
export function* jsonList(items: readonly JsonValue[]): Generator<string> {
  if (items.length === 0) return yield "[]\n";
  yield "[\n";
  yield* inPieces(items, indented, ",\n");
  yield "\n]\n";
}

/** Indents an item. JSON has no line endings inside texts, so every line ending is between values. */
function indented(item: JsonValue): string {
  return `  ${pipedJson(prettyJson(item)).replaceAll("\n", "\n  ")}`;
}

const AT_ONCE = 500;
const MOST_CHARACTERS = 2 ** 18;

/**
 * Yields the texts of many items in pieces, limited by items and characters so that a long list or a large item fits
 * into memory.
 * @param between the text between two items
 */
export function* inPieces<T>(items: readonly T[], textOf: (item: T) => string, between = ""): Generator<string> {
  let piece = "";
  let count = 0;
  for (const [index, item] of items.entries()) {
    piece += (index > 0 ? between : "") + textOf(item);
    if (++count < AT_ONCE && piece.length < MOST_CHARACTERS) continue;
    yield piece;
    piece = "";
    count = 0;
  }
  if (count > 0) yield piece;
}
