import { groupDigits } from "../../contract/decimal.ts";
import { effectTexts } from "../../contract/effect/texts.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import {
  isTransactionConsumed,
  isUnsignedTx,
  type Transaction,
  type TransactionState,
  txReason,
  txState,
  txStatus,
} from "../../contract/transaction/transaction.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { type Cell, type Ending, type Tone, toCell } from "../../terminal/view.ts";

const AT_ONCE = "the service cancels it at once, unless it signs it first";

/** A queued EVM transaction is canceled at once (facts 13.6, 16.3). */
export function cancellationOutcomes(
  found: readonly Transaction[],
  kind: NetworkKind,
  replace: (id: string) => string,
): string[] {
  const queued = found.filter((each) => isUnsignedTx(each, kind));
  const isOne = found.length === 1;
  const [atOnce, requested] = [queued.length, found.length - queued.length];
  return [
    ...(requested === 0
      ? []
      : [
          `${isOne ? "" : `${groupDigits(requested)} of ${groupDigits(found.length)}: `}${effectTexts.onlyRequested}: ${effectTexts.mayBeMined}`,
        ]),
    ...(atOnce === 0
      ? []
      : [`${isOne ? "" : `${groupDigits(atOnce)} of ${groupDigits(found.length)}: `}not signed yet: ${AT_ONCE}`]),
    ...nonceGapNotes(queued),
    ...queued
      .filter(holdsNonce)
      .slice(0, 1)
      .map(({ id }) => `to free them in about 10 seconds, replace it instead: ${replace(id)}`),
  ];
}

/** Returns the possible ends of a cancellation that was accepted, but not completed at once. */
export function openEnds(after: Transaction): string[] {
  return txStatus(after) === "canceled" ? [] : [effectTexts.mayBeMined];
}

/** Returns a note that nonces of canceled, never broadcast transactions stay unused for a while (facts 16.3). */
export function nonceGapNotes(canceled: readonly Transaction[]): string[] {
  const nonces = canceled
    .filter((each) => (each.hash ?? null) === null && holdsNonce(each))
    .map(({ nonce }) => toCell(nonce).text);
  if (nonces.length === 0) return [];
  const gap = nonces.length === 1 ? `nonce ${nonces[0]} is a gap` : `nonces ${nonces.join(", ")} are gaps`;
  return [`${gap}: transactions with a higher nonce wait about 200 seconds, until the service fills it`];
}

function holdsNonce({ nonce }: Transaction): boolean {
  return (nonce ?? null) !== null;
}

interface Outcome {
  words: string;
  brief?: string;
  tone?: Tone;
  more?: readonly string[];
  /** Set if the record differs from the chain, or may differ. */
  askChain?: true;
  /** Set if a replay can show why it failed. */
  hasReason?: true;
}

const TONES: Readonly<Record<string, Tone>> = { confirmed: "good", failed: "bad", expired: "bad" };

/** Returns the status for display: `confirmed · too late to cancel: the original was mined`. */
export function outcomeStatusCell(transaction: Transaction): Cell {
  const outcome = transactionOutcome(transaction);
  return cellFor(transaction, outcome, outcome?.words);
}

/** Returns the status for a table: `confirmed · too late to cancel`. */
export function briefOutcomeCell(transaction: Transaction): Cell {
  const outcome = transactionOutcome(transaction);
  return cellFor(transaction, outcome, outcome?.brief);
}

function cellFor(transaction: Transaction, outcome: Outcome | undefined, words: string | undefined): Cell {
  const { text } = toCell(transaction.status);
  const tone = outcome?.tone ?? TONES[txStatus(transaction)];
  return { text: words === undefined ? text : `${text} · ${words}`, ...(tone && { tone }) };
}

/** Returns how to interpret a record (facts 5.1, 5.5, and 13); undefined if its status is enough. */
export function transactionOutcome(transaction: Transaction, state = txState(transaction)): Outcome | undefined {
  switch (state.status) {
    case "failed":
      return failedOutcome(transaction);
    case "confirmed":
      return confirmedOutcome(transaction, state);
    case "pending":
    case "sent":
    case "submitted":
    case "mined":
      return underWay(state);
    default:
      return undefined;
  }
}

/** Returns the outcome of a replacement that lost the race: failed, while the earlier was mined (facts 13.1). */
function failedOutcome(transaction: Transaction): Outcome | undefined {
  if (isTransactionConsumed(transaction)) {
    return {
      words: "an earlier version may have been mined: check before you send again",
      brief: "check before sending",
      more: [
        `another transaction used nonce ${toCell(transaction.nonce).text}, perhaps an earlier version of this one; sending again may pay twice`,
        "the record shows only the newest hash; the receipt of a replacement shows the previous hash: --on-chain --was <hash>",
      ],
      askChain: true,
    };
  }
  return /reverted on-chain/i.test(txReason(transaction))
    ? { words: "mined and reverted: the nonce and the fee are spent", brief: "reverted", hasReason: true }
    : undefined;
}

function confirmedOutcome(transaction: Transaction, { cancellation, isNoop }: TransactionState): Outcome | undefined {
  if (cancellation === "replaced") {
    const words =
      "shows the transfer again after its cancellation was requested: check the chain to see which version was mined";
    return { words, brief: "not canceled after all", tone: "warn", askChain: true };
  }
  if (cancellation === "stands") {
    const more = ["the record shows value 0 (the cancellation); the chain holds the original transfer"];
    const words = "too late to cancel: the original was mined";
    return { words, brief: "too late to cancel", tone: "bad", more, askChain: true };
  }
  if (isNoop || becameNoop(transaction)) return noopOutcome(transaction);
  return txReason(transaction) === "" ? undefined : { words: "mined and final: the reason is from an earlier attempt" };
}

const OF_A_CANCELLATION = /canceled by user/i;

/** Returns the outcome of a no-op. Before v1.6 only the hash shows which of the two was mined (facts 5.5). */
function noopOutcome(transaction: Transaction): Outcome {
  const hasCancelFlag = typeof transaction.is_canceled === "boolean";
  const mayBeCanceled = !hasCancelFlag && OF_A_CANCELLATION.test(txReason(transaction) || "canceled by user");
  if (!mayBeCanceled) {
    const more = ["the record shows that nothing was transferred; only the chain is conclusive"];
    return { words: "as a no-op that replaced it", brief: "as a no-op", tone: "warn", more, askChain: true };
  }
  return {
    words: "as a no-op, which does not prove a cancellation: compare the hash",
    brief: "as a no-op",
    tone: "warn",
    more: [
      "this service does not show whether a cancellation came too late: if the hash is unchanged, the original was mined; if the hash changed, check the chain (--was <hash>)",
    ],
    askChain: true,
  };
}

/** Matches `Transaction is expired. Replacing with NOOP.` */
function becameNoop(transaction: Transaction): boolean {
  return /^Gap-filling NOOP|Replacing with NOOP\.?$/i.test(txReason(transaction));
}

function underWay({ status, cancellation, isNoop }: TransactionState): Outcome | undefined {
  if (cancellation === "replaced") {
    const words =
      "shows the transfer again after its cancellation was requested: the transfer is live and can be canceled again";
    return { words, brief: "live again after a cancellation", tone: "warn" };
  }
  if (cancellation === "stands" && status === "mined") {
    const words =
      "either the cancellation or the original was mined: the final status, canceled or confirmed, will show which";
    return { words, brief: "was being canceled", tone: "warn", askChain: true };
  }
  if (cancellation === "stands") {
    const words = `cancellation requested: ${effectTexts.mayBeMined}`;
    return { words, brief: "being canceled", tone: "warn" };
  }
  return isNoop ? { words: "a no-op: it only uses up its nonce", brief: "a no-op", tone: "warn" } : undefined;
}

export function outcomeNotes(record: Transaction, session: Session, relayerId: string): Ending {
  const { more = [], askChain, hasReason } = transactionOutcome(record) ?? {};
  const see = askChain ? [seeOutcome(record, session, relayerId)] : [];
  const why = hasReason ? [seeWith("--why", record, session, relayerId)] : [];
  return { notes: [...more, ...see, ...why] };
}

export function seeOutcome(record: Transaction, session: Pick<Session, "flags">, relayerId: string): { see: string } {
  return seeWith("--on-chain", record, session, relayerId);
}

function seeWith(
  flag: string,
  { id }: Transaction,
  { flags }: Pick<Session, "flags">,
  relayerId: string,
): { see: string } {
  return { see: commandLine(...flags, "tx", "get", relayerId, id, flag) };
}
