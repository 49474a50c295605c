import { effectOf } from "../../contract/effect.ts";
import { idProblem } from "../../contract/id.ts";
import { isJsonObject, type JsonObject, mergePatch, overlap } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { usageError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { UNKNOWN } from "../config/file-report.ts";
import { type DesiredFleet, type Doubt, FLEET_NOUNS, type FleetNoun } from "../desired.ts";
import type { KnownSecrets } from "../known-secrets.ts";
import type { LiveFleet } from "../live.ts";
import type { ImpossibleChange, Plan, PlannedChange, PlannedResource } from "../plan.ts";
import { byText } from "./canonical-json.ts";
import { compareResource } from "./compare-resource.ts";
import { Existence, keyOf } from "./existence.ts";
import { Findings } from "./findings.ts";
import { plannedCreation, plannedUpdate } from "./planned-change.ts";
import type { ReferredValues } from "./request-body.ts";
import { reportMissing, unknownMembers } from "./unfinished.ts";

/** Refuses the doubts of an update, unless the service has the same value. @throws RelayctlError usage */
function refuseDoubts(doubts: readonly Doubt[], plan: Plan, live: LiveFleet): void {
  if (doubts.length === 0) return;
  const touched = touchedPaths(plan);
  const wrong = doubts.filter(({ noun, id, path, fix, isMissing = false }) => {
    const now = live.resources[noun].get(id);
    const overlaps = (other: string) => path === "" || other === "" || overlap(path, other);
    if (!now || fix !== undefined) return false;
    return hasValue(now, path) === isMissing || (touched.get(keyOf(noun, id)) ?? []).some(overlaps);
  });
  if (wrong.length > 0) throw usageError(wrong.map(({ problem }) => problem));
}

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

/** The names of responses that differ in files (facts 14). */
const RETURNED: Readonly<Record<string, string>> = { network: "name", type: "network_type" };

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

export interface CompareOptions {
  server: string;
  now: number;
  files: readonly string[];
  known: KnownSecrets;
  /** Whether to delete resources that the files don't describe. */
  prune: boolean;
  /** Whether to send values that can't be compared. */
  sendHidden: boolean;
}

/**
 * Compares files with a service. The order of the files does not matter.
 * @throws RelayctlError usage for mistakes in the files that are not at the service
 */
export async function compareFleets(desired: DesiredFleet, live: LiveFleet, options: CompareOptions) {
  const referred = new Map<string, ReferredValues>();
  const existence = new Existence(desired, live);
  const all: Findings[] = [];
  const changes: PlannedChange[] = [];
  const doubts = new Map<string, Doubt[]>();
  for (const doubt of desired.doubts) {
    const key = keyOf(doubt.noun, doubt.id);
    doubts.set(key, [...(doubts.get(key) ?? []), doubt]);
  }
  for (const resource of [...desired.resources].sort((one, other) => inOrder(buildId(one), buildId(other)))) {
    const findings = new Findings(resource);
    const now = live.resources[resource.noun].get(resource.id);
    const own = doubts.get(keyOf(resource.noun, resource.id)) ?? [];
    const context = { live, existence, referred, doubts: own };
    doubts.delete(keyOf(resource.noun, resource.id));
    all.push(findings);
    if (live.unavailable.includes(resource.noun)) findings.outsideApi(routeMissing(resource.noun));
    else if (!now) changes.push(...plannedCreation(resource, findings, context));
    else {
      await compareResource(resource, now, findings, options);
      reportMissing(resource, own, findings, options.sendHidden);
      changes.push(...plannedUpdate(resource, now, findings, context));
      for (const path of unknownMembers(resource, now)) findings.unknown(path, UNKNOWN);
    }
  }
  const unmanaged = unmanagedIn(desired, live);
  const deleted = options.prune ? deletions(unmanaged, live, changes) : [];
  const isLeft = (one: PlannedResource) => !deleted.some(({ noun, id }) => noun === one.noun && id === one.id);
  const plan: Plan = {
    format: 1,
    relayctl: VERSION,
    server: options.server,
    created_at: new Date(options.now).toISOString(),
    files: options.files,
    changes: [...changes, ...deleted],
    cannot: [...all.flatMap(({ cannot }) => cannot), ...[...doubts.values()].flat().map(unresolved)].sort(inOrder),
    not_compared: all.flatMap(({ notCompared }) => notCompared).sort(inOrder),
    outside: all.flatMap(({ outside }) => outside).sort(inOrder),
    unmanaged: unmanaged.filter(isLeft).sort(inOrder),
    same: all.filter(({ members, cannot, outside }) => members.length + cannot.length + outside.length === 0).length,
  };
  refuseDoubts(desired.doubts, plan, live);
  return {
    plan,
    /** By resource. */
    referred,
  };
}

/** Returns the row about a folder of networks that was not found. */
function unresolved({ noun, id, problem: { where, rule } }: Doubt): ImpossibleChange {
  return { noun, id, at: where.split(" ")[0] ?? where, path: "", before: null, after: null, reason: rule };
}

function buildId({ noun, id }: PlannedResource): PlannedResource {
  return { noun, id };
}

function inOrder(one: PlannedResource & { path?: string }, other: PlannedResource & { path?: string }): number {
  return (
    FLEET_NOUNS.indexOf(one.noun) - FLEET_NOUNS.indexOf(other.noun) ||
    byText(one.id, other.id) ||
    byText(one.path ?? "", other.path ?? "")
  );
}

function routeMissing(noun: FleetNoun): string {
  const { since } = { since: undefined, ...operations[`${noun}.list`] };
  return `this service has no route for ${noun}${since === undefined ? "" : `; v${since} added it`}`;
}

/** The deletable nouns in order: a relayer uses the other two. */
const DELETABLE = ["relayers", "signers", "notifications"] as const satisfies readonly FleetNoun[];

function unmanagedIn(desired: DesiredFleet, live: LiveFleet): PlannedResource[] {
  const described = new Set(desired.resources.map(({ noun, id }) => keyOf(noun, id)));
  return DELETABLE.filter((noun) => desired.nouns.has(noun)).flatMap((noun) => {
    const ids = [...live.resources[noun].keys()].filter((id) => !described.has(keyOf(noun, id)));
    return ids.sort(byText).map((id) => ({ noun, id }));
  });
}

function deletions(
  unmanaged: readonly PlannedResource[],
  live: LiveFleet,
  changes: readonly PlannedChange[],
): PlannedChange[] {
  const deleted = new Set(unmanaged.map(({ noun, id }) => keyOf(noun, id)));
  const relayers = changes.filter(({ noun }) => noun === "relayers");
  const bodies = new Map(relayers.map(({ id, body }) => [id, body]));
  for (const [id, fields] of live.resources.relayers) {
    const isKept = !deleted.has(keyOf("relayers", id));
    bodies.set(id, isKept ? mergePatch(fields, bodies.get(id) ?? {}) : {});
  }
  return unmanaged.flatMap(({ noun, id }): PlannedChange[] => {
    const member = MEMBERS[noun];
    if (idProblem(id) !== undefined) return [];
    if (member && !isUnused(member, id, live, bodies)) return [];
    const users = [...live.resources.relayers].filter(([, fields]) => member && fields[member] === id);
    const needs = users.map(([user]) => keyOf("relayers", user)).sort(byText);
    const { words, consent } = effectOf(operations[`${noun as (typeof DELETABLE)[number]}.delete`], undefined);
    return [{ noun, id, action: "delete", members: [], body: {}, effects: words, consent, needs }];
  });
}

const MEMBERS: Partial<Record<FleetNoun, "signer_id" | "notification_id">> = {
  signers: "signer_id",
  notifications: "notification_id",
};

/** @param then the relayers after all other changes */
function isUnused(member: string, id: string, live: LiveFleet, then: ReadonlyMap<string, JsonObject>): boolean {
  if (!live.nouns.has("relayers")) return false;
  return [...then.values()].every((fields) => fields[member] !== id);
}
