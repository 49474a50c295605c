import type { Examined } from "../../../chain/examine.ts";
import type { Verdict } from "../../../chain/verdict/verdict.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending, statusOf } from "../../../contract/transaction/transaction-state.ts";
import { type Problem, RelayctlError } from "../../../errors.ts";
import type { Ending } from "../../../terminal/view.ts";
import { outcomeOf } from "../record/outcome.ts";
import { reasonLines, reasonRows } from "../simulation/reason-words.ts";
import { chainText, differing, notChecked } from "./compare-with-chain.ts";
import { differencesOf } from "./differences.ts";
import { evmRecord } from "./evm.ts";
import type { Lookup } from "./lookup.ts";
import { nodeNotes, seenText } from "./verdict-words.ts";

/**
 * Returns what the chain shows of a record, and fails unless that is what its status says: 14 if the two differ, 13 if
 * it ended otherwise, 15 if it is not settled.
 * @param symbol the symbol of the network's coin, if known
 */
export function evmEnding(examined: Examined, lookup: Lookup, symbol: string | undefined, session: Session): Ending {
  const { verdict, facts, fault } = examined;
  const through = nodeNotes(examined, lookup.relayerId);
  const more = DOUBTFUL.includes(verdict.verdict) ? (outcomeOf(lookup.record)?.more ?? []) : [];
  if (fault) return { notes: [...more, ...through], failure: notChecked(fault, detailsOf(verdict, symbol)) };
  const { seen } = verdict;
  const others = [...(facts?.hashes ?? [])].filter(([hash]) => hash !== seen?.hash);
  const looked = others.map(([hash, found]) => `chain: ${hash} ${chainText(evmRecord(found))}`);
  const failure = failureOf(examined, lookup, symbol, session);
  // The details of a failure show the transaction that was found.
  if (failure) return { notes: [...more, ...looked, ...through, ...unknownReason(verdict)], failure };
  const found = seen ? [`chain: ${seenText(seen, symbol)}`] : [];
  const reason = [...reasonLines(verdict.reason), ...unknownReason(verdict)];
  return { notes: [...more, ...looked, ...found, ...through, `verdict ${verdict.verdict}: ${verdict.why}`, ...reason] };
}

/** Returns why the reason of a revert is not known, or not certain. */
function unknownReason({ verdict, missing }: Verdict): string[] {
  return verdict === "reverted" ? missing.map((words) => `note: ${words}`) : [];
}

/** Verdicts that leave or confirm the doubts that a record raises. */
const DOUBTFUL: readonly string[] = ["cancel_too_late", "earlier_version", "pending"];

const CONTRADICTIONS: readonly string[] = ["cancel_too_late", "earlier_version", "foreign"];

function failureOf(
  { verdict, facts }: Examined,
  { record, relayerId }: Lookup,
  symbol: string | undefined,
  session: Session,
): RelayctlError | undefined {
  const recorded = facts?.hashes.get(record.hash?.toLowerCase() ?? "");
  const differences = recorded === undefined ? [] : differencesOf(record, evmRecord(recorded), symbol);
  const details = [...differences, ...detailsOf(verdict, symbol)];
  const because = verdict.missing.map((words) => `missing: ${words}`);
  if (CONTRADICTIONS.includes(verdict.verdict)) return differing(details);
  if (verdict.verdict === "never_broadcast") {
    const hint = commandLine(...session.flags, "tx", "cancel", relayerId, record.id);
    const message = "the version that the record shows will never be sent";
    const canCancel = verdict.obstacle === "cap";
    return new RelayctlError("unmet", message, { details: detailsOf(verdict, symbol), ...(canCancel && { hint }) });
  }
  if (differences.length > 0 || isRevived(record, verdict)) return differing(details);
  if (agrees(record, verdict)) return undefined;
  const { seen } = verdict;
  if (verdict.verdict === "pending")
    return new RelayctlError("pending", seen?.block === undefined ? UNSETTLED : NOT_FINAL, { details, because });
  return new RelayctlError("unmet", "the chain shows another outcome than the status", { details });
}

const UNSETTLED = "the outcome is unknown: no known hash of the transaction was mined";
const NOT_FINAL = "the outcome is not final: too few blocks follow";

function detailsOf(found: Verdict, symbol: string | undefined): Problem[] {
  const { verdict, why, seen } = found;
  const chain = seen ? [{ where: "chain", rule: seenText(seen, symbol) }] : [];
  return [{ where: "verdict", given: verdict, rule: why }, ...chain, ...reasonRows(found.reason)];
}

/** Returns whether the record reads as if nothing of a transaction was mined that was. */
function isRevived(record: Transaction, { verdict }: Verdict): boolean {
  return verdict === "confirmed" && ["failed", "canceled", "expired"].includes(statusOf(record));
}

/** Returns whether the verdict is what the status says. A record in progress may be behind the chain. */
function agrees(record: Transaction, { verdict }: Verdict): boolean {
  const status = statusOf(record);
  if (isPending(record) || status === "mined") return verdict === "pending" || verdict === "confirmed";
  return verdict === status || (status === "failed" && verdict === "reverted");
}
