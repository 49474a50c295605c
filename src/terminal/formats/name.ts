import type { JsonObject } from "../../contract/json.ts";
import { flatCell } from "../escape.ts";
import { flatValue } from "../select/path.ts";

/** The id alone, on one line; the name of what has no id. */
export function nameLine(item: JsonObject, id = "id"): string {
  return `${flatCell(flatValue(item, id) || flatValue(item, "name"))}\n`;
}
