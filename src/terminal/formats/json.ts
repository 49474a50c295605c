import { type JsonValue, prettyJson } from "../../contract/json.ts";
import { pipedJson } from "../escape.ts";
import { inPieces } from "./pieces.ts";

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
