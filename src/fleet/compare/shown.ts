import { type JsonValue, jsonLeavesIn, withJsonLeaves } from "../../contract/json.ts";
import type { DesiredResource } from "../desired-fleet.ts";

type Referring = Pick<DesiredResource, "hidden" | "references">;

/** Returns a file's value for a plan, with references in place of values from elsewhere. */
export function shownAfter({ hidden, references }: Referring, path: string, value: JsonValue): JsonValue {
  if (hidden.size === 0) return value;
  return withJsonLeaves(value, (leaf, at) => (hidden.has(at) && references.get(at)) || leaf, path);
}

export function shownBefore(desired: Referring, path: string, before: JsonValue, after: JsonValue): JsonValue {
  const { hidden, references } = desired;
  if (hidden.size === 0) return before;
  const known = new Map<string, string>();
  for (const { leaf, path: at } of jsonLeavesIn(after, path)) {
    const reference = hidden.has(at) ? references.get(at) : undefined;
    if (reference !== undefined) known.set(leafKey(leaf, at), reference);
  }
  return known.size === 0 ? before : withJsonLeaves(before, (leaf, at) => known.get(leafKey(leaf, at)) ?? leaf, path);
}

function leafKey(leaf: JsonValue, at: string): string {
  return `${at.replace(/\.\d+(?=\.|$)/g, "")} ${String(leaf).toLowerCase()}`;
}
