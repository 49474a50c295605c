import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody } from "../body.ts";
import { malformed } from "../refusal.ts";
import { type Read, ShapeError } from "./serde.ts";

/**
 * Reads the body of a typed endpoint: its shape is checked before any lookup, and an error is a text with its position
 * (facts 1.8).
 * @throws Refusal
 */
export function typedBody<T>(request: WireRequest, read: Read<T>): T {
  const value = jsonBody(request);
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const { line, column } = endOf(request.body ?? "", error);
    throw malformed(`Json deserialize error: ${error.message} at line ${line} column ${column}`);
  }
}

/**
 * Returns the position up to which the service has read when it refuses: the end of the key or value, or of the whole
 * body for a missing field.
 */
function endOf(body: string, { path: [key], isKey }: ShapeError): { line: number; column: number } {
  const text = body.trimEnd();
  const before = key === undefined ? text : text.slice(0, endOfField(text, key, isKey));
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") - 1 };
}

function endOfField(text: string, key: string, isKey: boolean): number {
  const at = text.indexOf(`"${key}"`);
  const end = at + key.length + 2;
  if (at < 0 || isKey) return at < 0 ? text.length : end;
  const [value = ""] = /^\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^,}\]\s]+)/.exec(text.slice(end)) ?? [];
  return end + value.length;
}
