import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import type { Doubt } from "../desired.ts";
import type { LiveFleet } from "../live.ts";
import type { Plan } from "../plan.ts";
import { keyOf } from "./existence.ts";

/**
 * Refuses what is wrong in files, except what the service has too: a fleet that was read from a service is not refused.
 * @throws RelayctlError usage
 */
export function refuseDoubts(doubts: readonly Doubt[], plan: Plan, live: LiveFleet): void {
  if (doubts.length === 0) return;
  const touched = touchedPaths(plan);
  const wrong = doubts.filter(({ noun, id, path, isMissing = false }) => {
    const now = live.resources[noun].get(id);
    const overlaps = (other: string) => path === "" || isWithin(path, other) || isWithin(other, path);
    return !now || hasValue(now, path) === isMissing || (touched.get(keyOf(noun, id)) ?? []).some(overlaps);
  });
  if (wrong.length > 0) throw usageError(wrong.map(({ problem }) => problem));
}

/** Returns the paths of all differences, by resource. */
function touchedPaths({ changes, cannot, outside }: Plan): ReadonlyMap<string, string[]> {
  const all = [
    ...changes.flatMap(({ noun, id, members }) => members.map(({ path }) => ({ noun, id, path }))),
    ...cannot,
    ...outside.map((each) => ({ path: "", ...each })),
  ];
  const paths = new Map<string, string[]>();
  for (const { noun, id, path } of all) paths.set(keyOf(noun, id), [...(paths.get(keyOf(noun, id)) ?? []), path]);
  return paths;
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`);
}

/** The names of responses that are others in files (facts 14). */
const RETURNED: Readonly<Record<string, string>> = { network: "name", type: "network_type" };

/** Returns whether a service has a value at a path, or a list that the path leads into. */
function hasValue(resource: JsonObject, path: string): boolean {
  if (path === "") return true;
  const [head = "", ...rest] = path.split(".");
  const name = head in resource ? head : (RETURNED[head] ?? head);
  let value = resource[name];
  for (const part of rest) {
    if (!isJsonObject(value)) break;
    value = value[part];
  }
  return (value ?? null) !== null;
}
