import type { VerdictWord } from "../../../src/chain/verdict/verdict.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import type { Found } from "../examined.ts";
import type { Mined } from "../model/chain.ts";
import { differencesOf } from "../model/fleet.ts";
import { isFinal, isNoop, type Stored, type Version } from "../model/record.ts";
import { START } from "../model/timeline.ts";
import type { ModelWorld } from "../model/world.ts";
import { doesSame, isOwn, isPaid, minesNoop, pays, statesOf, statesOfNonce, wasSent, wasUndone } from "./truth.ts";

function versionIn({ to, value, data }: Transaction): Version {
  return { to: to ?? null, value: BigInt(String(value)), data: (data as string | null | undefined) ?? null };
}

/** What a record, or a request, wants: a transfer, its cancellation, or nothing for another reason. */
function wishOf({ question }: Found, stored: Stored): "transfer" | "cancellation" | "nothing" {
  if (question.wanted) return question.wanted === "cancellation" ? "cancellation" : "transfer";
  const newest = newestIn(question);
  if (newest.status === "canceled") return "cancellation";
  if (!isNoop({ ...versionIn(newest), from: stored.from })) return "transfer";
  return String(newest.is_canceled) === "true" ? "cancellation" : "nothing";
}

function newestIn({ records }: Found["question"]): Transaction {
  return records[records.length - 1] as Transaction;
}

/** Returns what a verdict claims that was not true at any moment in which it was worked out. */
export function falseClaims(world: ModelWorld, stored: Stored, found: Found): string[] {
  const { verdict, question, from, to } = found;
  const states = statesOf(world, stored, from, to);
  const some = (is: (mined: Mined) => boolean) => states.some((mined) => mined !== undefined && is(mined));
  const newest = newestIn(question);
  const wanted = typeof question.wanted === "object" ? question.wanted : versionIn(newest);
  const wish = wishOf(found, stored);
  const isWanted = ({ transaction }: Mined) =>
    wish !== "transfer" ? isNoop(transaction) : doesSame(transaction, wanted);
  const isVersion = (mined: Mined) => verdict.isPresumed === true || isOwn(stored, mined);
  // Even if it does what the record shows, with the nonce that the record no longer shows.
  const isSecond = ({ transaction }: Mined) => transaction.nonce !== Number(newest.nonce);
  const unpaid = (mined: Mined | undefined) => !mined || minesNoop(mined) || !isOwn(stored, mined);
  const isUnpaid = () =>
    [...shownNonces(found)].every((nonce) => statesOfNonce(world, { ...stored, nonce }, from, to).some(unpaid));
  // The record does not notice that a reorganization undid its block.
  const shown = verdict.isByRecord ? statesOf(world, stored, 0, to) : states;
  const claims: Record<VerdictWord, () => boolean> = {
    confirmed: () =>
      wish !== "cancellation" &&
      !isPaidTwice(world, stored, found) &&
      (hidesReplacement(found, stored) || shown.some((mined) => mined && isWanted(mined) && !mined.reverted)),
    reverted: () => some((mined) => isWanted(mined) && mined.reverted),
    canceled: () => stored.broadcast.size === 0 || shown.some((mined) => mined !== undefined && minesNoop(mined)),
    failed: isUnpaid,
    expired: isUnpaid,
    never_broadcast: () =>
      !wasSent(world, stored, wanted) || wasUndone(world, stored) || isUnseenRepetition(stored, question),
    cancel_too_late: () => wish === "cancellation" && some((mined) => isVersion(mined) && !minesNoop(mined)),
    // A no-op in its place can belong to another record, and fill a gap.
    earlier_version: () =>
      wish !== "cancellation" &&
      some((mined) => (isVersion(mined) || minesNoop(mined)) && (!isWanted(mined) || isSecond(mined))),
    foreign: () => some((mined) => !isOwn(stored, mined)),
    gone: () => !world.worker.records.has(stored.id),
    pending: () => true,
  };
  const seen = verdict.seen;
  const isSeen =
    !seen || (seen.block === undefined ? world.chain.received.has(seen.hash) : some((mined) => matches(mined, seen)));
  const who = `${verdict.verdict} of ${stored.id} (${verdict.why})`;
  return [
    ...(claims[verdict.verdict]() ? [] : [`false verdict: ${who}`]),
    ...(isSeen ? [] : [`wrong transaction shown: ${who}`]),
    ...(isDeep(world, found) ? [] : [`too few blocks follow: ${who}`]),
  ];
}

function matches({ transaction, block }: Mined, seen: { hash: string; block: bigint | undefined }): boolean {
  return transaction.hash === seen.hash && BigInt(block) === seen.block;
}

/** The nonces that records show. No other nonce can be seen from outside (facts 15.9). */
function shownNonces({ question }: Found): Set<number> {
  return new Set(question.records.flatMap(({ nonce }) => (nonce === null || nonce === undefined ? [] : Number(nonce))));
}

function isPaidTwice(world: ModelWorld, stored: Stored, found: Found): boolean {
  const { question, from, to } = found;
  const hashes = question.records.map(({ hash }) => hash);
  const paysAlways = (nonce: number) =>
    statesOfNonce(world, { ...stored, nonce }, from, to).every(
      (mined) => pays(stored, mined) && hashes.includes(mined?.transaction.hash ?? ""),
    );
  const shown = shownNonces(found);
  return shown.size > 1 && [...shown].every(paysAlways);
}

/** Whether only the record was read, and does not show that it was ever replaced (facts 16.1). */
function hidesReplacement({ verdict, question }: Found, stored: Stored): boolean {
  if (!verdict.isByRecord || stored.versions.length === 1) return false;
  const [first, ...more] = question.records.map(versionIn);
  return more.every((each) => first !== undefined && doesSame(first, each));
}

function isDeep({ options }: ModelWorld, { verdict: { verdict, seen }, question, head }: Found): boolean {
  if (!SETTLED.includes(verdict) || seen?.block === undefined) return true;
  const { status } = newestIn(question);
  return status === "confirmed" || status === "canceled" || head - Number(seen.block) >= options.confirmations;
}

const SETTLED: readonly VerdictWord[] = [
  "confirmed",
  "reverted",
  "canceled",
  "cancel_too_late",
  "earlier_version",
  "foreign",
];

/** The deepest reorganization of a life. */
const DEEPEST = 2;

/** What was true when a verdict was worked out, and decides whether it has to last. */
export interface Moment {
  versions: number;
  changes: number;
}

export function momentOf({ fleet: { changes } }: ModelWorld, { versions }: Stored): Moment {
  return { changes: changes.length, versions: versions.length };
}

/** Whether the newest version was requested before, by a record that was not read: nothing that was read shows that. */
function isUnseenRepetition({ versions }: Stored, { records }: Found["question"]): boolean {
  const newest = versions.at(-1);
  if (!newest) return false;
  const times = versions.filter((each) => doesSame(each, newest)).length;
  const seen = new Set(records.filter((each) => doesSame(versionIn(each), newest)).map(({ hash }) => hash));
  return times > 1 && seen.size < 2;
}

function wasCapChanged({ fleet }: ModelWorld, { changes }: Moment): boolean {
  const since = fleet.changes.slice(changes);
  return since.some(({ before, after }) => differencesOf(before, after).includes("policies.gas_price_cap"));
}

/** Returns the settled verdicts that did not last until the end of a life. */
export function undone(world: ModelWorld, stored: Stored, found: Found, at: Moment): string[] {
  const { verdict, question } = found;
  const who = `${verdict.verdict} of ${stored.id} (${verdict.why})`;
  if ((verdict.verdict === "failed" || verdict.verdict === "expired") && isPaid(world, stored, shownNonces(found))) {
    return [`paid after all: ${who}`];
  }
  // A rise of the market sends what a tagged network kept back, and a higher cap sends the rest (facts 15.1, 15.2).
  const isUnchanged = at.versions === stored.versions.length && !wasCapChanged(world, at) && !world.pricing.isTagged;
  if (
    verdict.verdict === "never_broadcast" &&
    isUnchanged &&
    !wasUndone(world, stored) &&
    !isUnseenRepetition(stored, question) &&
    wasSent(world, stored, versionIn(newestIn(question)))
  ) {
    return [`sent after all: ${who}`];
  }
  const isLasting = world.options.confirmations >= DEEPEST && !verdict.isByRecord;
  if (!isLasting || !SETTLED.includes(verdict.verdict) || verdict.seen?.block === undefined) return [];
  const final = world.chain.mined(verdict.seen.hash);
  const lasted = final !== undefined;
  const wasReverted = verdict.verdict === "reverted" && final?.reverted === false;
  return lasted && !wasReverted ? [] : [`did not last: ${who}`];
}

/** Milliseconds since 1970 of the block in which something was mined. */
function timeOf({ chain }: ModelWorld, { block }: Mined): number {
  return (chain.blocks.find(({ number }) => number === block)?.time ?? 0) * 1000;
}

/** The most blocks that are read one by one on a node without an index, and a minute for clocks that differ. */
const SCAN = { most: 500, margin: 60_000 };

function isInScan(world: ModelWorld, { createdAt }: Stored, mined: Mined): boolean {
  const first = START + createdAt - SCAN.margin;
  const { blocks, blockTime } = world.chain;
  const before = blocks.filter(({ number, time }) => number < mined.block && time * 1000 >= first).length;
  // Blocks earlier than the life are empty, and read all the same.
  const earlier = Math.max(0, Math.ceil((START - first) / blockTime));
  return timeOf(world, mined) > START + createdAt && earlier + before < SCAN.most;
}

/** Returns whether a last verdict leaves open what a readable chain settles. */
export function leftOpen(world: ModelWorld, stored: Stored, found: Found): string[] {
  const { verdict, question, firstHead } = found;
  if (verdict.verdict !== "pending" && verdict.verdict !== "gone") return [];
  // The other nonce may still be used by a version that was never shown.
  if (stored.nonces.length > 1) return [];
  const mined = stored.nonce === null ? undefined : world.chain.minedBy(stored.from, stored.nonce);
  const missing = verdict.missing.map((words) => `; ${words}`).join("");
  const who = `${verdict.verdict} of ${stored.id} (${verdict.why}${missing})`;
  const newest = newestIn(question);
  // A record that was last read before it was final does not show how it ended.
  const isEnded = isFinal(stored) && newest.status === stored.status;
  if (!mined) return isEnded && stored.hash === null && verdict.verdict === "pending" ? [`left open: ${who}`] : [];
  // A record that was read before it was signed does not show where to look.
  if (typeof newest.nonce !== "number") return [];
  // A reorganization while it was read may have mined it in a block with a lower number than the head.
  const isSteady = world.chain.changes.slice(found.from).every(({ nonce }) => nonce !== stored.nonce);
  const isReadable = isSteady && (world.options.isIndexed || isInScan(world, stored, mined));
  const follows = (firstHead ?? world.chain.head.number) - mined.block;
  return isReadable && follows >= world.options.confirmations ? [`left open: ${who}`] : [];
}
