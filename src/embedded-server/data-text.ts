import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import type { Memo } from "./memo.ts";

/**
 * Returns the data of a response as JSON. Items of a list are usually requested repeatedly, so each is serialized once.
 */
export function dataText(data: JsonValue, memo: Memo): string {
  return Array.isArray(data) ? `[${data.map((item) => itemText(item, memo)).join(",")}]` : writeJson(data);
}

function itemText(item: JsonValue, memo: Memo): string {
  return isJsonObject(item) ? memo(objectText, item) : writeJson(item);
}

function objectText(item: JsonObject): string {
  return inOnePiece(writeJson(item));
}

/**
 * Flattens a concatenated string, which V8 keeps in pieces until a character is read; joining such strings takes ten
 * times as long.
 */
function inOnePiece(text: string): string {
  text.at(0);
  return text;
}
