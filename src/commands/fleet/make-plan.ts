import { compareFleets } from "../../fleet/compare/compare-fleets.ts";
import type { ReferredValues } from "../../fleet/compare/request-body.ts";
import { readFleet } from "../../fleet/config/read-fleet.ts";
import { DEMO_CONFIG } from "../../fleet/demo/demo-config.ts";
import { DEMO_FILE } from "../../fleet/demo/demo-file.ts";
import type { DesiredFleet, FleetNoun } from "../../fleet/desired.ts";
import { journaledSecrets } from "../../fleet/journaled-secrets.ts";
import type { KnownSecrets } from "../../fleet/known-secrets.ts";
import { type LiveFleet, readLiveFor } from "../../fleet/live.ts";
import { fleetSources } from "../../fleet/open-sources.ts";
import { warningText } from "../../fleet/source/place.ts";
import type { FleetSources } from "../../fleet/sources.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../command.ts";
import type { FleetFlags } from "./flags.ts";
import type { ReadPlan } from "./plan-view.ts";

export interface MadePlan extends ReadPlan {
  desired: DesiredFleet;
  live: LiveFleet;
  /** What the bodies of the plan's requests do not contain, by resource. */
  referred: ReadonlyMap<string, ReferredValues>;
}

export interface PlanOptions {
  /** Whether resources that are not in the files are deleted. */
  prune: boolean;
  /** Whether values that cannot be compared are sent. */
  sendHidden: boolean;
}

/** Returns where the files of a fleet come from; the demo has a separate file. */
export function sourcesOf({ app, common, flags }: Call<FleetFlags>): FleetSources {
  const sources = fleetSources(app, flags);
  return common.demo ? withDemoFile(sources) : sources;
}

/** Reads files, and prints their warnings. Sends nothing. @throws RelayctlError usage, with every problem */
export async function readDesired(call: Call<FleetFlags>, files: readonly string[]): Promise<DesiredFleet> {
  const desired = await readFleet(files, sourcesOf(call));
  for (const warning of desired.warnings) await call.say(warningText(warning));
  return desired;
}

/** Returns what is known from here about the values that the service does not return. */
export function knownFor({ app, common }: Call, { journal, origin }: Session, files: readonly string[]): KnownSecrets {
  const known = journaledSecrets(journal, origin, () => app.clock.now());
  return files.includes(DEMO_FILE) && common.demo ? knownInDemo(known) : known;
}

export async function makePlan(
  call: Call<FleetFlags>,
  files: readonly string[],
  options: PlanOptions,
): Promise<MadePlan> {
  const desired = await readDesired(call, files);
  const session = await call.session();
  session.hide(desired.resources);
  const live = await readLiveFor(session.client, desired, options);
  const recent = await session.recentJournal();
  if (recent)
    await (await import("../../command-support/own-changes.ts")).refreshOwnChanges(
      ...([call, recent, live.resources, (noun: FleetNoun, id: string) => session.client[noun].get(id)] as const),
    );
  const { plan, referred } = await compareFleets(desired, live, {
    ...options,
    files,
    server: session.origin,
    now: call.app.clock.now(),
    known: knownFor(call, session, files),
  });
  return { plan, referred, desired, live, relayers: live.resources.relayers };
}

function withDemoFile(sources: FleetSources): FleetSources {
  return {
    ...sources,
    read: async (path) => (path === DEMO_FILE ? DEMO_CONFIG : await sources.read(path)),
    list: async (folder, root) => (DEMO_FILE.startsWith(folder) ? [] : await sources.list(folder, root)),
  };
}

function knownInDemo(known: KnownSecrets): KnownSecrets {
  return {
    ...known,
    lastApplied: async (noun, id, path) =>
      (await known.lastApplied(noun, id, path)) ?? (id === NEVER_APPLIED ? undefined : async () => true),
  };
}

/** The notification whose signing key cannot be compared. */
const NEVER_APPLIED = "ops-hook";
