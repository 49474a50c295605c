import fc from "fast-check";
import { readExaminedFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import type { Verdict } from "../../../src/chain/verdict/verdict.ts";
import { verdictOfEvidence } from "../../../src/chain/verdict/verdict-of.ts";
import { STATUSES } from "../../../src/contract/transaction/transaction.ts";
import { runs } from "../../helpers/deep.ts";
import { chainNode, type Mined, NOW } from "../fake-chain.ts";
import { CANCELLATION, EARLIER, OWN, record, TO } from "./records.ts";

/** One version of the transaction, as the service signed it; a cancellation has no value. */
interface Signed {
  value: number;
  isNoop: boolean;
  isBroadcast: boolean;
}

/** A life: what the service signed, what the chain holds in the end, and what one may know of it. */
interface Life {
  versions: readonly Signed[];
  /** Which version is mined, counted modulo those that were broadcast; `foreign`, or nothing. */
  mined: number | "foreign" | "nothing";
  reverted: boolean;
  block: number;
  status: string;
  /** Whether the record has the hash of the mined transaction, as after hash recovery. */
  isRecovered: boolean;
  seen: number;
  isAsked: boolean;
  indexed: boolean;
  state: number;
  cap: number;
  isUnraised: boolean;
}

const signed = fc.record({ value: fc.integer({ min: 1, max: 3 }), isNoop: fc.boolean(), isBroadcast: fc.boolean() });
const lives: fc.Arbitrary<Life> = fc.record({
  versions: fc.array(signed, { minLength: 1, maxLength: 4 }),
  mined: fc.oneof(fc.nat(3), fc.constantFrom("foreign" as const, "nothing" as const)),
  reverted: fc.boolean(),
  block: fc.constantFrom(400, 990, 999, 1_000),
  status: fc.constantFrom(...STATUSES.filter((status) => status !== "expired")),
  isRecovered: fc.boolean(),
  seen: fc.nat(4),
  isAsked: fc.boolean(),
  indexed: fc.boolean(),
  state: fc.constantFrom(64, 2_000),
  cap: fc.integer({ min: 8, max: 16 }),
  isUnraised: fc.boolean(),
});

const GWEI = 1_000_000_000n;
const hashAt = (index: number) => `0x${(index + 100).toString(16).padStart(64, "0")}`;
const feeAt = (index: number) => 10n * GWEI + BigInt(index) * GWEI;

function transactionAt({ value, isNoop }: Signed, index: number): Mined {
  const what = isNoop ? { to: OWN, value: 0n } : { to: TO, value: BigInt(value) };
  return { hash: hashAt(index), from: OWN, nonce: 4, ...what, maxFee: feeAt(index), tip: feeAt(index) / 10n };
}

function recordAt({ value, isNoop }: Signed, index: number, fields: object = {}) {
  const what = isNoop ? CANCELLATION : { value: `0x${value.toString(16)}` };
  const fees = { max_fee_per_gas: String(feeAt(index)), max_priority_fee_per_gas: String(feeAt(index) / 10n) };
  return record({ hash: hashAt(index), ...fees, ...what, ...fields });
}

function minedIn({ versions, mined, reverted, block }: Life): Mined | undefined {
  const sent = versions.flatMap((version, index) => (version.isBroadcast ? [transactionAt(version, index)] : []));
  const chosen = typeof mined === "number" ? sent[mined % Math.max(sent.length, 1)] : undefined;
  const foreign = { hash: hashAt(99), from: OWN, to: TO, value: 9n, nonce: 4 };
  const found = mined === "foreign" ? foreign : chosen;
  return found && { ...found, block, reverted };
}

async function verdictIn(life: Life): Promise<Verdict> {
  const { versions, status, isRecovered, seen, isAsked, indexed, state, cap, isUnraised } = life;
  const mined = minedIn(life);
  const newest = versions.length - 1;
  const last = versions[newest] as Signed;
  // A record that reads confirmed shows the hash that was mined, whatever else it shows.
  const isMinedShown = mined && mined.hash !== hashAt(99) && (isRecovered || status === "confirmed");
  const hash = isMinedShown ? mined.hash : hashAt(newest);
  const before = versions.slice(0, newest).map((version, index) => recordAt(version, index));
  const ended = recordAt(last, newest, { status, hash });
  const records = [...before.slice(Math.max(0, before.length - seen)), ended] as unknown as readonly [typeof ended];
  const pool = versions.flatMap((version, index) => (version.isBroadcast ? [transactionAt(version, index)] : []));
  const transactions = [...EARLIER, ...(mined ? [mined] : pool)];
  const node = chainNode({ height: 1_000, transactions, indexed, state });
  const facts = isAsked ? await readExaminedFacts(node, { records, network: UNKNOWN, now: NOW }) : undefined;
  const chain = facts && "value" in facts ? facts.value : undefined;
  return verdictOfEvidence({ records, kind: "evm", chain, confirmations: 1n, isUnraised, cap: BigInt(cap) * GWEI });
}

const isNoop = ({ to, value }: Mined) => to === OWN && value === 0n;

function truthOf(life: Life) {
  const { versions, status, block, seen } = life;
  const mined = minedIn(life);
  const wanted = transactionAt(versions[versions.length - 1] as Signed, versions.length - 1);
  return {
    mined,
    isWanted: mined !== undefined && mined.to === wanted.to && mined.value === wanted.value,
    isForeign: mined?.hash === hashAt(99),
    isNoop: mined !== undefined && isNoop(mined),
    wantsCancellation: isNoop(wanted) || status === "canceled",
    isBeforeCreation: block < 900,
    /** Whether an earlier record showed the hash that was mined. */
    wasShown: versions.slice(0, -1).some((_, index) => {
      const isSeen = index >= versions.length - 1 - seen;
      return isSeen && mined?.hash === hashAt(index);
    }),
  };
}

/** Returns what a verdict claims that is not true of a life; empty if everything is. */
function falseClaims(life: Life, { verdict, isPresumed, isByRecord, seen }: Verdict): string[] {
  const { mined, isWanted, isForeign, wantsCancellation, isBeforeCreation, ...truth } = truthOf(life);
  const isOther = mined !== undefined && (isPresumed === true || !isForeign);
  const claims: Record<string, boolean> = {
    confirmed: isByRecord ? isWanted || !truth.wasShown : isWanted && !mined?.reverted,
    reverted: isWanted && mined?.reverted === true,
    canceled: isByRecord || truth.isNoop,
    failed: mined === undefined || truth.isNoop,
    never_broadcast: mined === undefined && life.versions.at(-1)?.isBroadcast === false,
    cancel_too_late: isOther && wantsCancellation && !truth.isNoop,
    earlier_version: isOther && !isWanted,
    foreign: isForeign || isBeforeCreation,
    pending: true,
  };
  const isSeen = seen?.block === undefined || seen.hash === mined?.hash;
  return [...(claims[verdict] ? [] : [verdict]), ...(isSeen ? [] : ["another transaction is shown"])];
}

test("no verdict contradicts the chain", () =>
  fc.assert(
    fc.asyncProperty(lives, async (life) => {
      expect(falseClaims(life, await verdictIn(life))).toEqual([]);
    }),
    runs(400, 100_000),
  ));

test("a fully readable chain decides every nonce that was used before the newest block", async () => {
  const readable = lives.map((life) => ({ ...life, isAsked: true, state: 2_000 }));
  await fc.assert(
    fc.asyncProperty(readable, async (life) => {
      const isDeep = minedIn(life) !== undefined && life.block < 1_000;
      if (isDeep) expect((await verdictIn(life)).verdict).not.toBe("pending");
    }),
    runs(400, 40_000),
  );
});
