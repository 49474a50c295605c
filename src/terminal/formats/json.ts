import { type JsonValue, prettyJson } from "../../contract/json.ts";
import { pipedJson } from "../escape.ts";

/** Returns a value as JSON, indented by two spaces, with a line ending. */
export function jsonText(value: JsonValue): string {
  return `${pipedJson(prettyJson(value))}\n`;
}

/**
 * Returns an item of a list in the form that it has in `jsonText` of the list, without a line ending. JSON has no line
 * endings inside texts, so every line ending is between values.
 */
export function indentedItem(item: JsonValue): string {
  return `  ${pipedJson(prettyJson(item)).replaceAll("\n", "\n  ")}`;
}
