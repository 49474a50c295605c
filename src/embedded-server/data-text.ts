import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { memoized } from "./memoized.ts";

/** The data of an answer as JSON. The items of a list are mostly shown again and again, and are written once. */
export function dataText(data: JsonValue): string {
  return Array.isArray(data) ? `[${data.map(itemText).join(",")}]` : writeJson(data);
}

function itemText(item: JsonValue): string {
  return isJsonObject(item) ? writtenOnce(item) : writeJson(item);
}

const writtenOnce = memoized((item: JsonObject) => inOnePiece(writeJson(item)));

/** A text that was added up stays in its pieces until a character of it is asked for; to join such texts takes ten times as long. */
function inOnePiece(text: string): string {
  text.at(0);
  return text;
}
