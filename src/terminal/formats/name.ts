import type { JsonObject } from "../../contract/json.ts";
import { flatCell } from "../escape.ts";
import { flatValue } from "../select/path.ts";

/** Returns the ID on one line, or the name if there is no ID. */
export function nameLine(item: JsonObject, id = "id"): string {
  return `${flatCell(flatValue(item, id) || flatValue(item, "name"))}\n`;
}
