import type { JsonValue } from "./values.ts";

/**
 * Parses JSON of which only the texts matter, in a fraction of the time: long numbers are rounded, and the last of two
 * equal fields counts. Returns undefined for a text that is not JSON.
 */
export function roughJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
