import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { hiddenIn, unsetHiddenText } from "../hidden.ts";
import { parseDocument, type SourceDocument } from "../source/document.ts";
import type { FleetSources } from "../sources.ts";
import type { FileReport } from "./file-report.ts";
import { type Interpolated, InterpolationError, interpolated, isInterpolated, UnsetError } from "./interpolation.ts";

export interface LoadedDocument extends SourceDocument {
  /** The texts with references, by dotted path. */
  interpolations: ReadonlyMap<string, Interpolation>;
  /** The paths of `${hidden:…}` and of missing values; a member that may have the value removes its path. */
  unclaimed: Set<string>;
}

interface Interpolation extends Interpolated {
  written: string;
  /** Set if the value is missing. */
  unset?: UnsetError;
}

export async function loadDocument(
  path: string,
  sources: FleetSources,
  report: FileReport,
  isListed = false,
): Promise<LoadedDocument | undefined> {
  const file = path === "-" ? "stdin" : path;
  const read = () => (isListed ? sources.readReferenced(path, path) : sources.read(path));
  const document = await report.gather(file, async () => parseDocument(file, await read()));
  if (!document) return undefined;
  if (document.hasMark && document.format === "json")
    report.say(document, "", {
      ...{ severity: "error", code: "syntax", message: "no service reads a byte order mark" },
      fix: "save it as UTF-8 without one",
    });
  const interpolations = new Map<string, Interpolation>();
  const slots: Slot[] = [];
  collect(document.value, "", slots);
  const unclaimed = new Set<string>();
  for (const { holder, key, at, written } of slots) {
    if (hiddenIn(written) !== undefined) {
      unclaimed.add(at);
      continue;
    }
    const found = await interpolated(written, file, sources).catch((error) => {
      if (error instanceof InterpolationError) return error;
      throw error;
    });
    if (!(found instanceof InterpolationError)) {
      interpolations.set(at, { ...found, written });
      Object.assign(holder, { [key]: found.text });
      continue;
    }
    const unset = found instanceof UnsetError ? { unset: found } : {};
    interpolations.set(at, { text: written, values: [], isHidden: false, written, ...unset });
    if (found instanceof UnsetError) {
      unclaimed.add(at);
      Object.assign(holder, { [key]: unsetHiddenText(found.fix, written.slice(0, written.indexOf("${"))) });
    } else report.problem(document, at, found.message);
  }
  return { ...document, interpolations, unclaimed };
}

interface Slot {
  holder: JsonArray | JsonObject;
  key: string | number;
  at: string;
  written: string;
}

function collect(holder: JsonValue, prefix: string, slots: Slot[]): void {
  const entries = Array.isArray(holder) ? holder.entries() : isJsonObject(holder) ? Object.entries(holder) : [];
  for (const [key, value] of entries) {
    if (typeof value !== "string") {
      if (value !== null && typeof value === "object") collect(value, `${prefix}${key}.`, slots);
    } else if (isInterpolated(value)) {
      slots.push({ holder: holder as JsonArray | JsonObject, key, at: `${prefix}${key}`, written: value });
    }
  }
}
