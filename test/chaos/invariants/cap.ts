import type { Fleet, RelayerChange } from "../model/fleet.ts";
import type { Attempt } from "../model/network.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";

const RELAYER = /\/relayers\/evm-1$/;

function capOf({ policies }: RelayerChange["before"]): number | undefined {
  const { gas_price_cap: cap } = policies;
  return typeof cap === "number" ? cap : undefined;
}

function changesCap({ relayer, before, after }: RelayerChange): boolean {
  return relayer === "evm-1" && capOf(before) !== capOf(after);
}

/** The changes of the cap that a run made, as indexes. */
function ownCaps({ changes }: Fleet, { attempts }: Ran): number[] {
  const own = attempts.flatMap(({ updated }) => (updated && changesCap(updated) ? [changes.indexOf(updated)] : []));
  return own.sort((one, other) => one - other);
}

/** The cap before a run raised it, and the raised one; undefined if it did not raise it. */
export function raisedBy(
  { fleet }: ModelWorld,
  ran: Ran,
): { index: number; from: number | undefined; to: number | undefined } | undefined {
  const [index] = ownCaps(fleet, ran);
  const change = fleet.changes[index ?? -1];
  return change && index !== undefined ? { index, from: capOf(change.before), to: capOf(change.after) } : undefined;
}

function isChangedByOthers(fleet: Fleet, own: readonly number[], from: number, to: number): boolean {
  return fleet.changes.some((each, index) => index >= from && index < to && !own.includes(index) && changesCap(each));
}

export function raiseFaults({ fleet }: ModelWorld, ran: Ran, most: number | undefined): string[] {
  const { argv, changes, isKilled, stderr } = ran;
  const line = argv.join(" ");
  const own = ownCaps(fleet, ran);
  const [first] = own;
  if (first === undefined) return [];
  const raising = fleet.changes[first] as RelayerChange;
  // Somebody may set another cap between the read and the request: nothing in the service's responses shows that.
  const seen = seenBefore(ran, raising) ?? first;
  const from = capOf(fleet.at("evm-1", seen));
  const final = capOf(fleet.at("evm-1", changes.to));
  const isPrinted = new RegExp(`relayers update evm-1 --policy gas_price_cap=${from}wei`).test(stderr);
  const isLeft = final !== from && !isChangedByOthers(fleet, own, first + 1, changes.to) && !isPrinted;
  const faults = [
    [from === undefined, "it sets a cap that was not set"],
    [most !== undefined && (capOf(raising.after) ?? 0) > most, "it raises the cap above --max-fee"],
    [!isKilled && isLeft, `the cap is left at ${final}, and no command restores ${from}`],
    [own.length > 0 && !argv.includes("--raise-cap"), "it changes the cap unasked"],
    [overwrites(fleet, ran), "it overwrites a cap that someone else set"],
  ] as const;
  return faults.flatMap(([isFault, words]) => (isFault ? [`${words}: ${line}`] : []));
}

/** How many changes the relayers had had when a run last read the relayer before it changed the cap. */
function seenBefore({ attempts }: Ran, change: RelayerChange): number | undefined {
  const sent = attempts.findIndex(({ updated }) => updated === change);
  return attempts.slice(0, sent).findLast(isRead)?.seen;
}

function isRead({ method, status, target }: Attempt): boolean {
  return method === "GET" && status === 200 && RELAYER.test(target);
}

function overwrites(fleet: Fleet, { attempts }: Ran): boolean {
  let left: number | undefined;
  let isFirst = true;
  let seen: number | undefined;
  for (const attempt of attempts) {
    if (isRead(attempt)) seen = attempt.seen;
    const { updated } = attempt;
    if (!updated || !changesCap(updated)) continue;
    const read = seen === undefined ? undefined : capOf(fleet.at("evm-1", seen));
    // The earlier cap is restored only from the raised one; a further raise begins from the earlier one again.
    const isRestoring = !isFirst && (capOf(updated.after) ?? 0) < (left ?? 0);
    if (isRestoring && read !== left) return true;
    left = capOf(updated.after);
    isFirst = false;
  }
  return false;
}

/** Returns what settling sent besides the caps that runs left raised. */
export function settleFaults({ fleet }: ModelWorld, ran: Ran, runs: readonly Ran[]): string[] {
  const raised = runs.flatMap((each) => raisesOf(fleet, each));
  return ran.attempts.flatMap(({ method, target, updated, hasLeft }) => {
    if (method === "GET" || target.endsWith("/rpc") || !hasLeft) return [];
    if (method !== "PATCH") return [`settle sends ${method} ${target}`];
    if (!updated || !changesCap(updated)) return [];
    const isRestoring = raised.some(({ from, to }) => capOf(updated.after) === from && capOf(updated.before) === to);
    const index = fleet.changes.indexOf(updated);
    const isRaced = isChangedByOthers(fleet, [index], ran.changes.from, index);
    return isRestoring || isRaced ? [] : [`settle sets the cap to ${capOf(updated.after)}`];
  });
}

function raisesOf(fleet: Fleet, ran: Ran): { from: number | undefined; to: number | undefined }[] {
  if (!ran.argv.includes("--raise-cap")) return [];
  return ownCaps(fleet, ran).map((index) => {
    const change = fleet.changes[index] as RelayerChange;
    return { from: capOf(fleet.at("evm-1", seenBefore(ran, change) ?? index)), to: capOf(change.after) };
  });
}

/** Returns the caps that killed runs left raised, and the last settling did not restore. */
export function leftRaised(world: ModelWorld, runs: readonly Ran[]): string[] {
  const { fleet } = world;
  return runs.flatMap((ran) => {
    const { argv, isKilled, journal } = ran;
    const own = ownCaps(fleet, ran);
    const last = fleet.changes[own.at(-1) ?? -1];
    const index = own.at(-1);
    if (!isKilled || journal === "none" || !last || index === undefined) return [];
    if (!argv.includes("--raise-cap") || argv.includes("--keep-raised")) return [];
    // Somebody may set a lower cap between a restoring request's departure and its arrival.
    const [first] = raisesOf(fleet, ran);
    const isRaised = (capOf(last.after) ?? 0) > (first?.from ?? 0);
    const isUntouched = !fleet.changes.some((each, at) => at > index && changesCap(each));
    const isRecorded = ran.entries.some(
      ({ entry }) => entry.type === "intent" && entry.operation === "relayers.update",
    );
    return isRaised && isUntouched && isRecorded ? [`the cap stays raised after a kill: ${argv.join(" ")}`] : [];
  });
}
