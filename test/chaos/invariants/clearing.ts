import type { Attempt } from "../model/network.ts";
import { isNoop, isSignable, type Stored, type Version } from "../model/record.ts";
import type { Applied } from "../model/service.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { doesSame, statesOf } from "./truth.ts";

/** How many versions each record had when a run began. */
export type Versions = ReadonlyMap<Stored, number>;

export function versionsOf({ worker }: ModelWorld): Versions {
  return new Map(worker.all.map((stored) => [stored, stored.versions.length]));
}

/** Returns what a run says is on its way, or mined, although no node ever had it. */
export function falselySent(world: ModelWorld, ran: Ran, versions: Versions): string[] {
  const { argv, stderr, from, to } = ran;
  const { chain, worker } = world;
  const line = argv.join(" ");
  const claims = [...stderr.matchAll(/(on its way|mined in block \d+) as (0x[0-9a-f]{64})(.*)/g)];
  return claims.flatMap(([, what = "", hash = "", rest = ""]) => {
    const owner = worker.all.find((stored) => stored.shown.has(hash) || stored.broadcast.has(hash));
    if (!owner) return [`${what}, but the hash belongs to no record: ${line}`];
    if (what !== "on its way") {
      const wasMined = statesOf(world, owner, from, to).some((mined) => mined?.transaction.hash === hash);
      return wasMined ? [] : [`${what}, but the chain did not have it: ${line}`];
    }
    // The service takes a refusal for a success, and the record then shows what no node has (facts 15.2).
    const isShared = owner.versions.length > (versions.get(owner) ?? 0) + changesIn(ran).length;
    const isMisled = rest.includes("by the record") && (owner.refused.has(hash) || isShared);
    return isMisled || chain.received.has(hash) ? [] : [`no node knows what is on its way: ${line}`];
  });
}

function changesIn({ attempts }: Ran): Applied[] {
  return attempts.flatMap(({ applied }: Attempt) => applied ?? []);
}

/** The versions that a run may have read of a record. */
function readableBy(versions: Versions, { stored, version }: Applied): Version[] {
  const first = Math.max(0, (versions.get(stored) ?? 1) - 1);
  return stored.versions.slice(first).filter((each, index) => index === 0 || each !== version);
}

/** Returns what a bump changed besides the price, and whether it ended well too early. */
export function bumpFaults(world: ModelWorld, ran: Ran, versions: Versions): string[] {
  const { argv, exitCode, stderr, from, to } = ran;
  const line = argv.join(" ");
  const waits = argv.includes("--wait") || argv.includes("--until");
  const isSilent = exitCode === 0 && !waits && !/on its way|mined|is \w+ now/.test(stderr);
  const stored = world.worker.all.find(({ id }) => id === argv[3]);
  const states = stored ? statesOf(world, stored, from, to) : [];
  const isEarly =
    exitCode === 0 && argv.includes("--until") && states.length > 0 && states.every((mined) => mined === undefined);
  const changed = changesIn(ran).filter(
    (change) =>
      change.operation === "replace" &&
      !readableBy(versions, change).some((version) => doesSame(version, change.version)),
  );
  return [
    ...(copiesOld(ran) ? [`a bump copies what it knew to have changed: ${line}`] : []),
    ...(isSilent ? [`exit 0, but not known to be on its way: ${line}`] : []),
    ...(isEarly ? [`exit 0, but nothing was mined: ${line}`] : []),
    ...changed.map(() => `a bump changes more than the price: ${line}`),
  ];
}

function copiesOld({ attempts }: Ran): boolean {
  return attempts.some(({ method, target, body, hasLeft }, index) => {
    if (method !== "PUT" || !hasLeft) return false;
    const read = attempts.slice(0, index).findLast((each) => each.target === target && each.status === 200);
    if (read?.method !== "GET") return false;
    const { data } = JSON.parse(new TextDecoder().decode(read.received));
    return !doesSame(versionIn(data), versionIn(JSON.parse(body ?? "{}")));
  });
}

export function versionIn({ to, value, data }: Record<string, unknown>): Version {
  return {
    to: typeof to === "string" ? to : null,
    value: BigInt(String(value)),
    data: typeof data === "string" ? data : null,
  };
}

/** Returns what freeing a queue did wrong. @param cancels whether a payment may be given up */
export function unstickFaults(world: ModelWorld, ran: Ran, versions: Versions, cancels: boolean): string[] {
  const { argv, exitCode, from, to } = ran;
  const line = argv.join(" ");
  const isReorganized = world.chain.changes.slice(from, to).some(({ mined }) => mined === undefined);
  const faults = changesIn(ran).flatMap((change) => {
    const { stored, operation, version, next } = change;
    const readable = readableBy(versions, change);
    const isBehind = stored.nonces.length > 0 && !isReorganized && stored.nonces.every((nonce) => nonce > next);
    const isPayment = readable.every((each) => isSignable(each) && !isNoop({ ...each, from: stored.from }));
    const isSame = readable.some((each) => doesSame(each, version));
    const isMended = isNoop({ ...version, from: stored.from }) && readable.some((each) => !isSignable(each));
    return [
      ...(isBehind ? ["it acts behind the head"] : []),
      ...(operation === "cancel" && isPayment && !cancels ? ["it gives up a payment without consent"] : []),
      ...(operation === "replace" && !isSame && !isMended ? ["it replaces a payment by something else"] : []),
      ...(exitCode === 0 && !isFreed(world, ran, stored) ? ["exit 0, but what it helped is still not mined"] : []),
    ];
  });
  return faults.map((words) => `${words}: ${line}`);
}

/** Whether a record's nonce was used, or will never be needed. */
function isFreed(world: ModelWorld, { from, to }: Ran, stored: Stored): boolean {
  const isOver = stored.status === "canceled" || stored.status === "failed" || stored.status === "confirmed";
  return isOver || statesOf(world, stored, from, to).some((mined) => mined !== undefined);
}

interface FrozenJson {
  id: string;
  freeze: {
    state: string;
    canceled: string[];
    cancellation_requested: string[];
    can_still_be_mined: { id: string }[];
  };
}

/** Returns what a freeze reported wrongly. @param open the records that were open when it began */
export function freezeFaults(world: ModelWorld, ran: Ran, ids: readonly string[], open: readonly Stored[]): string[] {
  const { fleet, worker } = world;
  const { argv, changes, exitCode, stdout } = ran;
  const line = argv.join(" ");
  const items = stdout === "" ? [] : (JSON.parse(stdout) as FrozenJson[]);
  const wasPaused = (id: string) => {
    const later = fleet.changes.slice(changes.from, changes.to).filter(({ relayer }) => relayer === id);
    return fleet.at(id, changes.from).paused || later.some(({ after }) => after.paused);
  };
  const faults = items.flatMap(({ id, freeze }) => {
    const isPaused = freeze.state === "paused" || freeze.state === "already paused";
    const named = new Set([...freeze.canceled, ...freeze.can_still_be_mined.map((each) => each.id)]);
    const left = open.filter((each) => each.relayer === id && isOpen(each) && worker.records.has(each.id));
    const stored = (each: string) => worker.all.find((record) => record.id === each);
    return [
      ...(isPaused && !wasPaused(id) ? [`${id} is ${freeze.state}, but never was`] : []),
      ...(exitCode === 0 && isPaused && left.some((each) => !named.has(each.id))
        ? [`${id}: what can be mined is left out`]
        : []),
      ...(freeze.canceled.some((each) => stored(each)?.status !== "canceled") ? [`${id}: not canceled`] : []),
      ...(freeze.cancellation_requested.some((each) => stored(each)?.isCanceled !== true)
        ? [`${id}: not requested`]
        : []),
    ];
  });
  const missed = exitCode === 0 ? ids.filter((id) => !wasPaused(id)) : [];
  return [...faults, ...missed.map((id) => `exit 0, but ${id} never was paused`)].map((words) => `${words}: ${line}`);
}

export function isOpen({ status }: Stored): boolean {
  return status === "pending" || status === "sent" || status === "submitted";
}
