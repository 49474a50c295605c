import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody } from "../body.ts";
import { malformed } from "../refusal.ts";
import { type Read, ShapeError } from "./serde.ts";

/** Reads a typed endpoint's body: its shape first; an error is a text with its position (facts 1.8). @throws Refusal */
export function typedBody<T>(request: WireRequest, read: Read<T>): T {
  const value = jsonBody(request);
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const { line, column } = buildEnd(request.body ?? "", error);
    throw malformed(`Json deserialize error: ${error.message} at line ${line} column ${column}`);
  }
}

/** Returns where the service refuses: the end of the key or value, or of the body for a missing field. */
function buildEnd(body: string, { path: [key], isKey }: ShapeError): { line: number; column: number } {
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
