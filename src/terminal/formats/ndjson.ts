import { type JsonValue, writeJson } from "../../contract/json.ts";
import { pipedJson } from "../escape.ts";

/** Returns a value on one line. */
export function ndjsonLine(value: JsonValue): string {
  return `${pipedJson(writeJson(value))}\n`;
}
