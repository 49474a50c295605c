import { operations } from "../../contract/operations.ts";
import { VERSION } from "../../version.ts";
import { type DesiredFleet, FLEET_NOUNS, type FleetNoun } from "../desired.ts";
import type { KnownSecrets } from "../known-secrets.ts";
import type { LiveFleet } from "../live.ts";
import type { Plan, PlannedChange, PlannedResource } from "../plan.ts";
import { byText } from "./canonical-json.ts";
import { compareResource } from "./compare-resource.ts";
import { Existence } from "./existence.ts";
import { Findings } from "./findings.ts";
import { plannedCreation, plannedUpdate } from "./planned-change.ts";
import { refuseDoubts } from "./refuse-doubts.ts";
import type { ReferredValues } from "./request-body.ts";
import { deletions, unmanagedIn } from "./unmanaged.ts";

/** How to compare files with a service. */
export interface CompareOptions {
  /** The origin of the service. */
  server: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The files, as typed. */
  files: readonly string[];
  known: KnownSecrets;
  /** Whether to delete what the files do not describe. */
  prune: boolean;
  /** Whether to send the values of the files that cannot be compared. */
  sendHidden: boolean;
}

/** A plan, and what its references stand for. */
export interface PlanWithSecrets {
  plan: Plan;
  /** What the bodies of its requests do not contain, by resource. */
  referred: ReadonlyMap<string, ReferredValues>;
}

/**
 * Compares what files describe with what a service has. The order of the files has no influence on the plan.
 * @throws RelayctlError usage, with what is wrong in the files and not at the service
 */
export async function compareFleets(
  desired: DesiredFleet,
  live: LiveFleet,
  options: CompareOptions,
): Promise<PlanWithSecrets> {
  const referred = new Map<string, ReferredValues>();
  const existence = new Existence(desired, live);
  const all: Findings[] = [];
  const changes: PlannedChange[] = [];
  const context = { live, existence, referred };
  for (const resource of [...desired.resources].sort((one, other) => inOrder(idOf(one), idOf(other)))) {
    const findings = new Findings(resource);
    const now = live.resources[resource.noun].get(resource.id);
    all.push(findings);
    if (live.unavailable.includes(resource.noun)) findings.outsideApi(routeMissing(resource.noun));
    else if (!now) changes.push(...plannedCreation(resource, findings, context));
    else {
      await compareResource(resource, now, findings, options);
      changes.push(...plannedUpdate(resource, now, findings, context));
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
    cannot: all.flatMap(({ cannot }) => cannot).sort(inOrder),
    not_compared: all.flatMap(({ notCompared }) => notCompared).sort(inOrder),
    outside: all.flatMap(({ outside }) => outside).sort(inOrder),
    unmanaged: unmanaged.filter(isLeft).sort(inOrder),
    same: all.filter(isSame).length,
  };
  refuseDoubts(desired.doubts, plan, live);
  return { plan, referred };
}

function idOf({ noun, id }: PlannedResource): PlannedResource {
  return { noun, id };
}

function isSame({ members, cannot, outside }: Findings): boolean {
  return members.length + cannot.length + outside.length === 0;
}

/** Compares two things by their nouns, in the order of changes, then by ID, then by path. */
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
