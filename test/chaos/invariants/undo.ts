import { type Entry, writesOf } from "../../../src/journal/journal.ts";
import {
  type Fleet,
  holds,
  membersOf,
  type Patch,
  patched,
  type RelayerChange,
  type Settings,
} from "../model/fleet.ts";
import type { Attempt } from "../model/network.ts";
import type { Ran } from "../program.ts";

/** Returns what one run requested of each relayer and was not refused, by the lines on the disk, as a later run reads them. */
export function requestsOf({ entries }: Ran): Map<string, Patch> {
  const requests = new Map<string, Patch>();
  for (const { intent, outcome } of writesOf(entries.map(({ entry }) => entry))) {
    const isPatch = intent.operation === "relayers.update" && outcome?.applied !== "no";
    if (isPatch) requests.set(String(intent.ids.relayer_id), intent.body as Patch);
  }
  return requests;
}

export function isRecorded({ stderr }: Ran): boolean {
  return !/warning: (?:this write|its outcome) is not recorded/.test(stderr);
}

/** The ID of a run, if it recorded a write. */
export function idOf({ entries }: Ran): string | undefined {
  return entries.find(({ entry }) => entry.type === "intent")?.entry.run;
}

/** The run that a run undoes, if it recorded a write. */
export function undoneBy({ entries }: Ran): string | undefined {
  const intent = entries.find(({ entry }) => entry.type === "intent")?.entry;
  return intent?.type === "intent" ? intent.undoes : undefined;
}

export function isEffective({ attempts }: Ran): boolean {
  return attempts.some(({ applied, updated }) => applied !== undefined || updated !== undefined);
}

/** Whether the journal has the outcome of each write of a run. */
export function isKnown({ entries }: Ran): boolean {
  return writesOf(entries.map(({ entry }) => entry)).every(
    ({ outcome }) => (outcome?.applied ?? "unknown") !== "unknown",
  );
}

/** The changes of a relayer that a run made, as indexes. */
function ownChanges(fleet: Fleet, { attempts }: Ran, id: string): number[] {
  const own = attempts.flatMap(({ updated }: Attempt) =>
    updated?.relayer === id ? [fleet.changes.indexOf(updated)] : [],
  );
  return own.sort((one, other) => one - other);
}

/** What an undo should find, and restore. */
interface Part {
  id: string;
  /** The members that the run named, and which of them it changed. */
  named: string[];
  paths: string[];
  left: Settings;
  /** What the run may have read before it changed them: others may have changed them in the meantime. */
  before: Settings[];
  isApplied: boolean;
}

function partsOf(fleet: Fleet, of: Ran): Part[] {
  return [...requestsOf(of)].map(([id, body]) => {
    const own = ownChanges(fleet, of, id);
    const first = own[0] ?? of.changes.to;
    const before = statesOf(fleet, id, of.changes.from, first);
    const newest = before.at(-1) as Settings;
    const left = fleet.changes[own.at(-1) ?? -1]?.after ?? patched(newest, body);
    const named = [...new Set(before.flatMap((state) => pathsOf(body, state)))];
    const paths = named.filter((path) => before.some((state) => valueAt(state, path) !== valueAt(left, path)));
    return { id, named, paths, left, before, isApplied: own.length > 0 };
  });
}

/** Whether a run certainly changed several relayers: a write that left one as it was is not undone (promises 5). */
export function changedSeveral(fleet: Fleet, of: Ran): boolean {
  const changed = partsOf(fleet, of).filter(({ named, before, left }) =>
    named.some((path) => before.every((state) => valueAt(state, path) !== valueAt(left, path))),
  );
  return changed.length > 1;
}

function statesOf(fleet: Fleet, id: string, from: number, to: number): Settings[] {
  const later = fleet.changes.slice(from, to).filter(({ relayer }) => relayer === id);
  return [fleet.at(id, from), ...later.map(({ after }) => after)];
}

/** The members that a patch names; all policies if it clears them all. */
function pathsOf(body: Patch, before: Settings): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (name !== "policies") return [name];
    const policies = typeof value === "object" && value !== null ? value : Object.fromEntries(policiesOf(before));
    return Object.keys(policies).map((policy) => `policies.${policy}`);
  });
}

const policiesOf = (settings: Settings) =>
  [...membersOf(settings)].flatMap(([path, value]) =>
    path.startsWith("policies.") ? [[path.slice("policies.".length), value]] : [],
  );

function valueAt(settings: Settings, path: string): string | undefined {
  return membersOf(settings).get(path);
}

function isChangedByOthers(
  fleet: Fleet,
  own: readonly number[],
  { id, path, from, to }: { id: string; path: string; from: number; to: number },
): boolean {
  return fleet.changes.some(
    (change, index) => index >= from && index < to && !own.includes(index) && touches(change, id, path),
  );
}

function touches({ relayer, before, after }: RelayerChange, id: string, path: string): boolean {
  return relayer === id && valueAt(before, path) !== valueAt(after, path);
}

/** Returns what an undo did wrong: it restores exactly what its run changed, or sends nothing. */
export function undoFaults(fleet: Fleet, ran: Ran, of: Ran): string[] {
  const parts = partsOf(fleet, of);
  const line = `${ran.argv.join(" ")}, of ${of.argv.join(" ")}`;
  const faults = parts.flatMap((part) => [...sentFaults(fleet, ran, part), ...endFaults(fleet, ran, part)]);
  const others = ran.attempts.filter(({ updated }) => updated && !parts.some(({ id }) => id === updated.relayer));
  for (const { target } of others) faults.push(`an undo changes ${target}, which its run did not`);
  const isUnfounded =
    ran.exitCode === 6 && /changed since/.test(ran.stderr) && !parts.some((part) => isMoved(fleet, ran, part));
  return [...faults, ...(isUnfounded ? ["refused, although nothing changed since"] : [])].map(
    (words) => `${words}: ${line}`,
  );
}

/**
 * Returns an undo's faults about writes with an unknown outcome: it changes none of their relayers, and relayctl only
 * refuses the undo if there is such a write.
 * @param disk the lines at its end, with the lines of all runs
 * @param from how many lines there were when it began
 */
export function unknownFaults(disk: readonly Entry[], from: number, ran: Ran, of: Ran): string[] {
  const open = (entries: readonly Entry[]) => {
    const writes = writesOf(entries).filter(({ intent }) => intent.run === idOf(of));
    const isPatch = writes.some(
      ({ intent, outcome }) => intent.operation === "relayers.update" && outcome?.applied !== "no",
    );
    // The cancellations of a freeze stay as they are.
    const undone = writes.filter(({ intent }) => !isPatch || intent.operation !== "tx.cancel");
    return undone.filter(({ outcome }) => (outcome?.applied ?? "unknown") === "unknown");
  };
  const line = `${ran.argv.join(" ")}, of ${of.argv.join(" ")}`;
  const reversed = open(disk).filter(({ intent: { ids } }) =>
    ran.attempts.some(({ updated }) => updated?.relayer === ids.relayer_id),
  );
  const isUnfounded = ran.stderr.includes(REFUSED_AS_UNKNOWN) && open(disk.slice(0, from)).length === 0;
  return [
    ...reversed.map(
      ({ intent }) => `an undo changes ${intent.ids.relayer_id}, whose write has no known outcome: ${line}`,
    ),
    ...(isUnfounded ? [`refused as unknown, although each outcome is known: ${line}`] : []),
  ];
}

const REFUSED_AS_UNKNOWN = "cannot be undone: its outcome is unknown";

function sentFaults(fleet: Fleet, ran: Ran, part: Part): string[] {
  const { id, named, left, before } = part;
  const own = ownChanges(fleet, ran, id);
  return own.flatMap((index) => {
    const change = fleet.changes[index] as RelayerChange;
    const changed = [...new Set([...membersOf(change.before).keys(), ...membersOf(change.after).keys()])].filter(
      (path) => touches(change, id, path),
    );
    return changed.flatMap((path) => {
      const value = valueAt(change.after, path);
      const span = { id, path, from: ran.changes.from, to: index };
      const isOverwritten =
        valueAt(change.before, path) !== valueAt(left, path) && !isChangedByOthers(fleet, own, span);
      return [
        ...(named.includes(path) ? [] : [`an undo changes ${path} of ${id}, which its run did not`]),
        ...(isOverwritten ? [`an undo overwrites a change of ${path} of ${id}`] : []),
        ...(before.some((state) => valueAt(state, path) === value)
          ? []
          : [`an undo sets ${path} of ${id} to ${value}`]),
      ];
    });
  });
}

/** What is left once it ended well. */
function endFaults(fleet: Fleet, { exitCode, changes, attempts }: Ran, part: Part): string[] {
  const { id, paths, before, isApplied } = part;
  // What someone else changed between the read and the write of the run is not known to the journal.
  if (exitCode !== 0 || !isApplied || before.length > 1) return [];
  const own = ownChanges(fleet, { attempts } as Ran, id);
  const final = fleet.at(id, changes.to);
  return paths
    .filter((path) => !before.some((state) => valueAt(state, path) === valueAt(final, path)))
    .filter((path) => !isChangedByOthers(fleet, own, { id, path, ...changes }))
    .map((path) => `undone, but ${path} of ${id} is ${valueAt(final, path)}`);
}

/** Whether a relayer was ever neither as the undone run left it nor as before, or its earlier value is uncertain. */
function isMoved(fleet: Fleet, { changes }: Ran, { id, named, left, before }: Part): boolean {
  if (before.length > 1) return true;
  const isAs = (state: Settings, other: Settings) =>
    named.every((path) => valueAt(state, path) === valueAt(other, path));
  return statesOf(fleet, id, changes.from, changes.to).some(
    (state) => !isAs(state, left) && !before.some((each) => isAs(state, each)),
  );
}

/** Returns what a change of relayers did wrong. @param body what it requests of each of them */
export function patchFaults(fleet: Fleet, ran: Ran, ids: readonly string[], body: Patch): string[] {
  if (ran.exitCode !== 0) return [];
  const { from, to } = ran.changes;
  return ids
    .filter((id) => !statesOf(fleet, id, from, to).some((state) => holds(state, body)))
    .map((id) => `exit 0, but ${id} never had what was requested: ${ran.argv.join(" ")}`);
}

/** Returns whether a relayer had what a patch requests at some moment from a run on. */
export function hadSince(fleet: Fleet, id: string, from: number, body: Patch): boolean {
  return statesOf(fleet, id, from, fleet.changes.length).some((state) => holds(state, body));
}
