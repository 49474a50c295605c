import { type JsonValue, valueAt } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { parseDocument } from "../source/document.ts";
import type { FleetSources } from "../sources.ts";
import { InterpolationError, interpolated, rebased } from "./interpolation.ts";

/** Matches a reference to a place in a file. */
const SOURCE = /^\$\{source:(.+)#(\/[^{}]*)\}$/s;

/**
 * Returns the text that a plan refers to: `${env:NAME}`, `${file:PATH}`, texts with them, and `${source:FILE#/pointer}`.
 * @param documents the files that were read before
 * @throws RelayctlError usage for a reference that has no value
 */
export async function resolveReference(
  reference: string,
  sources: FleetSources,
  documents: Map<string, JsonValue> = new Map(),
): Promise<string> {
  const [, file, pointer] = SOURCE.exec(reference) ?? [];
  if (file === undefined || pointer === undefined) return await textOf(reference, reference, sources);
  if (!documents.has(file)) documents.set(file, (await parseDocument(file, await sources.read(file))).value);
  const written = valueAt(documents.get(file), pointerPath(pointer));
  if (typeof written !== "string") throw usageError([{ where: reference, rule: MOVED }]);
  return await textOf(reference, rebased(written, file), sources);
}

const MOVED = "the file has no text there now; create the plan again";

async function textOf(reference: string, written: string, sources: FleetSources): Promise<string> {
  try {
    return (await interpolated(written, undefined, sources)).text;
  } catch (error) {
    if (error instanceof InterpolationError) throw usageError([{ where: reference, rule: error.message }]);
    throw error;
  }
}

/** Returns the names and indexes of a JSON pointer (RFC 6901). */
function pointerPath(pointer: string): string[] {
  const parts = pointer.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
