import { type JsonValue, prettyJson } from "../../contract/json.ts";
import { pipedJson } from "../escape.ts";

const AT_ONCE = 500;

/** One value as JSON with two spaces of indentation, and a line end. */
export function jsonText(value: JsonValue): string {
  return `${pipedJson(prettyJson(value))}\n`;
}

/** A list as one JSON document, in pieces, so that a long one need not fit into a single text. */
export function* jsonList(items: readonly JsonValue[]): Generator<string> {
  if (items.length === 0) yield "[]\n";
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const piece = items
      .slice(from, from + AT_ONCE)
      .map(indented)
      .join(",\n");
    const end = from + AT_ONCE >= items.length ? "\n]\n" : ",\n";
    yield (from === 0 ? "[\n" : "") + piece + end;
  }
}

/** JSON has no line end inside a text, so that every one of them is between values. */
function indented(item: JsonValue): string {
  return `  ${pipedJson(prettyJson(item)).replaceAll("\n", "\n  ")}`;
}
