import { type JsonObject, memberPaths, mergePatch, pathsOverlap } from "../../contract/json.ts";
import { compareResource } from "../compare/compare-resource.ts";
import { Findings } from "../compare/findings.ts";
import type { DesiredResource } from "../desired-fleet.ts";
import type { Fingerprint } from "../fingerprint.ts";
import type { KnownSecrets } from "../known-secrets.ts";
import type { PlannedChange } from "../plan.ts";
import {
  type KeptMembers,
  type ManagedResource,
  managedMembers,
  movedManagedPaths,
  movedManagedText,
} from "./managed-resource.ts";

export type ResourceState =
  /** As of the plan's creation, or in part as planned. */
  | { kind: "to do" }
  /** As planned, as far as it can be compared, with the paths that can't. */
  | { kind: "already"; unknown: readonly string[] }
  /** Neither, with the changes since then in words. */
  | { kind: "moved"; since: readonly string[] };

export interface Intended {
  managed: ManagedResource;
  /** Undefined if the plan does not change the resource. */
  change: Pick<PlannedChange, "action"> | undefined;
  body: JsonObject;
}

export interface Comparing {
  fingerprint: Fingerprint;
  known: KnownSecrets;
}

/** Compares a resource with a plan. @param live undefined if it does not exist */
export async function resourceState(
  intended: Intended,
  live: JsonObject | undefined,
  comparing: Comparing,
): Promise<ResourceState> {
  const { managed, change } = intended;
  if (!live) {
    if (change?.action === "delete") return { kind: "already", unknown: [] };
    return managed.before === null ? { kind: "to do" } : { kind: "moved", since: ["was deleted since"] };
  }
  if (managed.before === null) return await foundState(intended, live, comparing);
  const now = managedMembers(managed, live, comparing.fingerprint);
  if (change?.action === "update") return await patchedState(intended, live, { ...comparing, now });
  const changed = movedManagedPaths(managed.before, now);
  return changed.length === 0 ? { kind: "to do" } : movedState(managed, changed, now);
}

async function foundState(intended: Intended, live: JsonObject, { known }: Comparing): Promise<ResourceState> {
  const { different, unknown } = await comparedWithPlan(intended, live, known);
  if (intended.change?.action === "create" && different.length === 0) return { kind: "already", unknown };
  return { kind: "moved", since: ["was created since", ...different.map((path) => `${path} differs`)] };
}

async function patchedState(
  intended: Intended,
  live: JsonObject,
  { known, now }: Comparing & { now: KeptMembers },
): Promise<ResourceState> {
  const { managed, body } = intended;
  const changed = movedManagedPaths(managed.before ?? new Map(), now);
  const { different, unknown } = await comparedWithPlan(intended, live, known);
  const isAsPlanned = (path: string) => isTouched(path, body) && !different.some((each) => pathsOverlap(each, path));
  const moved = changed.filter((path) => !isAsPlanned(path));
  if (moved.length > 0) return movedState(managed, moved, now);
  if (different.length > 0) return { kind: "to do" };
  // A change of only hidden values does not show: without a fingerprint, it has to be sent again.
  return unknown.length === 0 || changed.length > 0 ? { kind: "already", unknown } : { kind: "to do" };
}

function movedState({ before }: ManagedResource, paths: readonly string[], now: KeptMembers): ResourceState {
  return { kind: "moved", since: paths.map((path) => movedManagedText(path, before ?? new Map(), now)) };
}

/** Knows every value: what the service does not return counts as equal. */
const EVERYTHING_KNOWN: KnownSecrets = { lastApplied: async () => async () => true };

export async function differencesFromState(intended: Intended, live: JsonObject): Promise<readonly string[]> {
  return (await comparedWithPlan(intended, live, EVERYTHING_KNOWN)).different;
}

async function comparedWithPlan(
  { managed: { noun, id }, change, body }: Intended,
  live: JsonObject,
  known: KnownSecrets,
): Promise<{ different: string[]; unknown: string[] }> {
  const fields = change?.action === "create" ? body : mergePatch(live, body);
  const place = { file: "", line: 1, column: 1 };
  const desired: DesiredResource = {
    noun,
    id,
    fields,
    place,
    placeOf: () => place,
    references: new Map(),
    hidden: new Set(),
  };
  const findings = new Findings(desired);
  await compareResource({ desired, live, findings, known, sendHidden: false });
  const sent = (path: string) => change?.action === "create" || isTouched(path, body);
  const paths = (found: readonly { path: string }[]) => found.map(({ path }) => path).filter(sent);
  return { different: paths([...findings.members, ...findings.cannot]), unknown: paths(findings.notCompared) };
}

function isTouched(path: string, body: JsonObject): boolean {
  return memberPaths(body).some((each) => pathsOverlap(each, path === "has_signing_key" ? "signing_key" : path));
}
