import type { FollowEnd, Goal, Standing } from "../../chain/follow/followed.ts";
import { worstResultsFirst } from "../../chain/follow/wait-result.ts";
import type { RevertReason } from "../../chain/simulation/revert-reason.ts";
import { firstLines, groupDigits, pluralize } from "../../contract/decimal.ts";
import { type Failure, interruptedError, RelayctlError } from "../../errors.ts";
import { commandLine } from "../../shell/shell-words.ts";

export interface Waited {
  /** Set if the command applied a write: then no exit code may say otherwise. */
  wrote: boolean;
  flags: readonly string[];
  /** Default: confirmed. */
  goal?: Goal["until"];
}

const FAILURES: Partial<Record<FollowEnd, Failure>> = {
  mismatch: "mismatch",
  unmet: "unmet",
  gone: "pending",
  pending: "pending",
};

export function transactionEndFailure(standings: readonly Standing[], waited: Waited): RelayctlError | undefined {
  const missed = worstResultsFirst(standings).filter(({ end }) => end !== "reached");
  const [worst] = missed;
  if (!worst) return undefined;
  const failure = FAILURES[worst.end ?? "pending"] ?? "pending";
  const isOnly = missed.length === 1;
  const message = isOnly
    ? standingText(worst)
    : `${groupDigits(missed.length)} of ${groupDigits(standings.length)} transactions did not end as requested`;
  return new RelayctlError(failure, message, {
    applied: waited.wrote ? "yes" : "no",
    retryable: !waited.wrote && failure === "pending",
    details: missed.map(({ relayerId, id, verdict }) => ({
      where: `${relayerId}/${id}`,
      given: verdict?.verdict ?? "unknown",
      rule: verdict ? [verdict.why, ...endReasonLines(verdict.reason)].join("; ") : UNREAD,
    })),
    because: isOnly && worst.verdict ? [...endReasonLines(worst.verdict.reason), ...worst.verdict.missing] : [],
    hint: hintFor(worst, waited.flags),
  });
}

const UNREAD = "its record was not read";

/** Returns where a transaction stands: `tx-1 of eth-main-1: pending: it waits to be mined`. */
function standingText({ relayerId, id, verdict }: Standing): string {
  const words = verdict ? `${verdict.verdict.replaceAll("_", " ")}: ${verdict.why}` : UNREAD;
  return `${id} of ${relayerId}: ${words}`;
}

function hintFor({ relayerId, id, end, verdict, record }: Standing, flags: readonly string[]): string {
  if (verdict?.obstacle === "cap") return commandLine(...flags, "tx", "cancel", relayerId, id);
  if (end === "mismatch" || end === "unmet") {
    const mined =
      verdict !== undefined && verdict.verdict !== "foreign" && !verdict.isPresumed ? verdict?.seen?.hash : undefined;
    // The record doesn't show a version that was mined with another nonce (facts 15.9).
    const was = mined !== undefined && mined !== record?.hash?.toLowerCase() ? ["--was", mined] : [];
    return commandLine(...flags, "tx", "get", relayerId, id, "--on-chain", ...was);
  }
  if (end === "gone") return commandLine(...flags, "tx", "list", relayerId);
  return commandLine(...flags, "tx", "wait", relayerId, id);
}

const MOST_SHOWN = 20;

export function unfinishedWaitError(error: unknown, standings: readonly Standing[], waited: Waited): unknown {
  if (!(error instanceof RelayctlError)) return error;
  const { wrote, flags, goal = "confirmed" } = waited;
  const open = standings.filter(({ end }) => end === undefined);
  const [first] = open;
  const ids = open.filter(({ relayerId }) => relayerId === first?.relayerId).map(({ id }) => id);
  const hint = first && commandLine(...flags, "tx", "wait", first.relayerId, ...ids.slice(0, MOST_SHOWN));
  const applied = wrote ? "yes" : "no";
  if (error.failure === "interrupted") {
    const reached = standings.filter(({ end }) => end === "reached").length;
    const found = `${groupDigits(reached)} of ${pluralize(standings.length, "transaction")} ${goal}`;
    const because = firstLines(worstResultsFirst(standings).map(standingText), MOST_SHOWN);
    return interruptedError(`: ${found}`, {
      applied,
      because,
      ...(hint && { hint, continues: true }),
      cause: error,
    });
  }
  if (!wrote) return otherRelayerError(error, flags) ?? error;
  const { failure, message, because } = error;
  return new RelayctlError(failure === "io" ? "io" : "pending", `applied, but the wait was cut off: ${message}`, {
    applied,
    because,
    retryable: false,
    details: [{ where: failure, rule: message }],
    ...(hint && { hint }),
    cause: error,
  });
}

function otherRelayerError({ subject, message }: RelayctlError, flags: readonly string[]): RelayctlError | undefined {
  if (subject?.kind !== "other_relayer") return undefined;
  const { relayer, transaction } = subject;
  return new RelayctlError("usage", message, { hint: commandLine(...flags, "tx", "wait", relayer, transaction) });
}

/** Returns why a call reverted, with the data, never cut, of an error that only its contract can explain. */
export function endReasonRows(reason: RevertReason | undefined): { where: string; rule: string }[] {
  if (!reason) return [];
  const data = { where: "revert data", rule: reason.data };
  return [
    { where: "reason", rule: reason.words },
    ...(reason.kind === "custom" || reason.kind === "malformed" ? [data] : []),
  ];
}

/** Returns why a call reverted as lines: `reason: ERC20: transfer amount exceeds balance`. */
export function endReasonLines(reason: RevertReason | undefined): string[] {
  return endReasonRows(reason).map(({ where, rule }) => `${where}: ${rule}`);
}
