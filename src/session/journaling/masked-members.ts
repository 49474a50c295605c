import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { Entry } from "../../journal/entry.ts";

/** Adds to an entry the names of its masked members: an undo must not restore a masked value. */
export function withMaskedMembers<T extends Entry>(
  entry: T,
  values: Readonly<Partial<Record<"body" | "before" | "after", unknown>>>,
): T {
  const found = Object.entries(values).flatMap(([part, value]) =>
    differing((entry as JsonObject)[part], value as JsonValue | undefined),
  );
  const masked = [...new Set([...(entry.masked ?? []), ...found])];
  return masked.length === 0 ? entry : { ...entry, masked };
}

function differing(recorded: JsonValue | undefined, value: JsonValue | undefined): string[] {
  if (!isJsonObject(recorded) || !isJsonObject(value)) return [];
  return Object.keys(recorded).filter(
    (name) => recorded[name] !== value[name] && formatText(recorded[name]) !== formatText(value[name]),
  );
}

function formatText(value: JsonValue | undefined): string {
  return writeJson(value ?? null);
}
