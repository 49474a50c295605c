import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "../../../contract/json.ts";
import type { BlockLine, View } from "../../../terminal/view.ts";
import { cell, lines } from "../../cells.ts";

/** The result alone; with `-o raw` the whole answer as received. */
export function resultView(result: { data: JsonObject; body: Uint8Array }, raw: boolean): View {
  if (raw) return { kind: "body", body: result.body };
  const value = result.data.result ?? null;
  return { kind: "facts", lines: blockOf(value), value };
}

/** A line for each member of an object, for each item of a list. */
function blockOf(result: JsonValue): BlockLine[] {
  if (isJsonObject(result)) return keysOf(result).flatMap((key) => lines(key, [cell(result[key])]));
  const values = Array.isArray(result) && result.length > 0 ? result : [result];
  return lines("result", values.map(cell));
}
