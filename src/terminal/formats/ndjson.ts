import { type JsonValue, writeJson } from "../../contract/json.ts";

/** One value on one line. */
export function ndjsonLine(value: JsonValue): string {
  return `${writeJson(value)}\n`;
}
