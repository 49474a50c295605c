import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, statusOf } from "../../contract/transaction/transaction-state.ts";
import { CHAIN_PATIENCE } from "../../timing.ts";
import type { NodeFault } from "../node/node.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { verdictOf } from "../verdict/verdict-of.ts";
import { isSameVersion, versionOf } from "../verdict/version.ts";
import type { FollowRequest } from "./follow-request.ts";
import { type Followed, isGone } from "./followed.ts";
import { type FollowEnd, type Goal, needsChain } from "./goal.ts";

/** Returns the records of a transaction that was read. */
export function recordsOf({ records: [first, ...more] }: Followed): [Transaction, ...Transaction[]] {
  if (!first) throw new Error("the record was not read");
  return [first, ...more];
}

/** Returns what the records alone show. */
export function verdictByRecords(followed: Followed, kind: NetworkKind): Verdict {
  const { wanted } = followed.target;
  return verdictOf({
    records: recordsOf(followed),
    kind,
    ...(isGone(followed) && { isGone: true }),
    ...(wanted && { wanted }),
    confirmations: 0n,
    isUnraised: false,
  });
}

/**
 * Returns how following ends where only the record counts. A record that has ended and leaves open what was mined
 * (facts 13.1, 16.1) will never show more.
 */
export function endByRecord({ until }: Goal, followed: Followed, { verdict }: Verdict): FollowEnd | undefined {
  if (verdict !== "pending") return undefined;
  const status = statusOf(recordsOf(followed).at(-1) ?? {});
  if (isFinal(status)) return "pending";
  const reached = { broadcast: ["submitted", "mined"], mined: ["mined"], confirmed: [], final: [] }[until] as string[];
  return reached.includes(status) && hasOneVersion(followed) ? "reached" : undefined;
}

/** Returns whether a transaction was neither replaced nor canceled, as far as was seen: only then its status is enough. */
function hasOneVersion(followed: Followed): boolean {
  const all = recordsOf(followed);
  const first = versionOf(all[0]);
  const isFirst = (record: Transaction) => {
    const version = versionOf(record);
    return first === undefined || version === undefined || isSameVersion(first, version);
  };
  return all.every((record) => record.is_canceled !== true && isFirst(record));
}

/** Faults of nodes that cannot be asked, and of nodes that are not believed. */
const UNASKABLE: readonly string[] = ["refused", "no_method"];
const UNBELIEVABLE: readonly string[] = ["unreadable", "wrong_chain"];

/**
 * Returns the verdict if the chain could not be read. The record counts only if the chain cannot be asked at all, or
 * has not responded for a while since the record ended.
 */
export function withoutChain(
  { goal, clock }: Pick<FollowRequest, "goal" | "clock">,
  followed: Followed,
  verdict: Verdict,
  fault: NodeFault,
): Verdict {
  const isEnded = isFinal(statusOf(recordsOf(followed).at(-1) ?? {})) || isGone(followed);
  followed.unaskedSince = isEnded ? (followed.unaskedSince ?? clock.elapsed()) : undefined;
  const since = followed.unaskedSince ?? Number.POSITIVE_INFINITY;
  const isLate = clock.elapsed() - since >= CHAIN_PATIENCE && !UNBELIEVABLE.includes(fault.kind);
  const isEnough = !needsChain(goal) || verdict.verdict !== "confirmed";
  const counts = isEnough && (UNASKABLE.includes(fault.kind) || isLate);
  return counts
    ? { ...verdict, missing: [...verdict.missing, fault.words] }
    : unreadVerdict(followed, fault.words, verdict);
}

/** Returns the verdict about a transaction whose chain could not be read. */
export function unreadVerdict(followed: Followed, words: string, found = verdictByRecords(followed, "evm")): Verdict {
  const { stage } = found;
  return { verdict: "pending", why: `the chain could not be read: ${words}`, stage, missing: [words] };
}
