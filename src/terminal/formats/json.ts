import { type JsonValue, prettyJson } from "../../contract/json.ts";
import { pipedJson } from "../escape.ts";
import { inPieces } from "./pieces.ts";

/** One value as JSON with two spaces of indentation, and a line end. */
export function jsonText(value: JsonValue): string {
  return `${pipedJson(prettyJson(value))}\n`;
}

/** A list as one JSON document, in pieces, so that a long one need not fit into a single text. */
export function* jsonList(items: readonly JsonValue[]): Generator<string> {
  if (items.length === 0) return yield "[]\n";
  yield "[\n";
  yield* inPieces(items, indented, ",\n");
  yield "\n]\n";
}

/** JSON has no line end inside a text, so that every one of them is between values. */
function indented(item: JsonValue): string {
  return `  ${pipedJson(prettyJson(item)).replaceAll("\n", "\n  ")}`;
}
