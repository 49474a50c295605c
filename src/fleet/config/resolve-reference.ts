import { type JsonValue, valueAt } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { parseDocument } from "../source/document.ts";
import type { FleetSources } from "../sources.ts";
import { InterpolationError, interpolated } from "./interpolation.ts";

/** Matches a reference to a place in a file. */
const SOURCE = /^\$\{source:(.+)#(\/[^{}]*)\}$/s;

/**
 * Returns the secrets that a plan refers to, by reference: `${env:NAME}`, `${file:PATH}`, texts with them, and
 * `${source:FILE#/pointer}`. Reads each file once.
 * @throws RelayctlError usage, with every reference that has no value
 */
export async function resolveReferences(
  references: Iterable<string>,
  sources: FleetSources,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const files = new Map<string, JsonValue>();
  for (const reference of references) {
    const [, file, pointer] = SOURCE.exec(reference) ?? [];
    if (file === undefined || pointer === undefined) {
      found.set(reference, await textOf(reference, reference, ".", sources));
      continue;
    }
    if (!files.has(file)) files.set(file, (await parseDocument(file, await sources.read(file))).value);
    const written = valueAt(files.get(file), pointerPath(pointer));
    if (typeof written !== "string") throw usageError([{ where: reference, rule: MOVED }]);
    found.set(reference, await textOf(reference, written, file, sources));
  }
  return found;
}

const MOVED = "the file has no text there now; create the plan again";

/** Returns the secret that a plan refers to. @throws RelayctlError usage */
export async function resolveReference(reference: string, sources: FleetSources): Promise<string> {
  return (await resolveReferences([reference], sources)).get(reference) ?? "";
}

async function textOf(reference: string, written: string, file: string, sources: FleetSources): Promise<string> {
  try {
    const { text, values } = await interpolated(written, file, sources);
    for (const secret of [text, ...values]) sources.protect?.(secret);
    return text;
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
