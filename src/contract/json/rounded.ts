import type { JsonValue } from "./values.ts";

/** Parses JSON whose numbers don't matter, faster: long numbers are rounded, and the last duplicate counts. */
export function parseRoundedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
