import type { Accepted, Broadcast } from "../../chain/replacement/broadcast.ts";
import { mostFeePerGas } from "../../chain/replacement/fees.ts";
import { priceText } from "../../contract/amount.ts";
import { type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { RelayctlError, rescue } from "../../errors.ts";
import type { Fact, Message } from "../../message.ts";
import { receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";

/** The record only keeps the previous hash until its successor is sent (facts 5.5, 13.1). */
export function hashFacts(before: Transaction | undefined, after: Transaction, successor: string): Fact[] {
  if (!before) return [["now", hashText(after)]];
  const isKept = typeof after.hash === "string" && after.hash === before.hash;
  const now = isKept ? `the same until ${successor} is sent` : hashText(after);
  return [
    ["before", hashText(before)],
    ["now", now],
  ];
}

/** Returns a line if the journal has the previous hash, so that `--was` need not be typed. */
export function hashKept(
  { recordedRun }: Pick<Session, "recordedRun">,
  before: Transaction | undefined,
): readonly string[] {
  return typeof before?.hash === "string" && recordedRun() !== undefined ? [receiptWords.hashKept] : [];
}

export async function withHashInError<T>(sending: Promise<T>, before: Transaction | undefined): Promise<T> {
  return await rescue(sending, (error) => {
    if (error.applied === "no" || !before) throw error;
    throw error.with({ because: [`the hash before: ${hashText(before)}`] });
  });
}

function hashText({ hash }: Transaction): string {
  return typeof hash === "string" ? hash : "no hash yet";
}

export const NOUNS = { replace: "replacement", cancel: "cancellation" };

export function hashWaitError(error: RelayctlError, noun: string, hint: string): RelayctlError {
  const fact = `${noun} was accepted; whether it is on its way is not known yet`;
  const isInterrupted = error.failure === "interrupted";
  const message = isInterrupted ? `interrupted; ${fact}` : error.message;
  return new RelayctlError(error.failure, message, {
    applied: "yes",
    because: isInterrupted ? [] : [fact],
    hint,
    continues: isInterrupted,
    isInterrupted,
    cause: error,
  });
}

type OnItsWay = Extract<Broadcast, { state: "on_its_way" }>;

function onItsWayText({ hash, fees, block, seenBy }: OnItsWay, after: Transaction | undefined): string {
  const price = fees ? ` at ${priceText(mostFeePerGas(fees))}` : "";
  if (block !== undefined) return `mined in block ${block} as ${hash}${price}`;
  const again = after && hash !== after.hash ? ", which the service signed after its response" : "";
  return `on its way as ${hash}${price}${again}${seenBy === "record" ? " (by the record: no node could be asked)" : ""}`;
}

/** @param after the record in the response to the write, whose hash has been shown */
export function broadcastHashLine(
  broadcast: Broadcast,
  { before, change, after }: Pick<Accepted, "before" | "change"> & Partial<Pick<Accepted, "after">>,
): Message {
  switch (broadcast.state) {
    case "on_its_way":
      return onItsWayText(broadcast, after);
    case "over": {
      const { mined, record } = broadcast;
      if (mined === undefined) return `the transaction is ${txStatus(record)} now`;
      const isEarlier = mined === before.hash?.toLowerCase();
      return { warning: `${isEarlier ? "the original" : "another version"} was mined: ${mined}` };
    }
    case "never_broadcast": {
      const { instead } = broadcast;
      const more = instead === undefined ? "" : `: ${instead} will be mined instead`;
      return { warning: `the ${NOUNS[change]} is never broadcast${more}` };
    }
    case "unknown":
      return { note: ["it is not known yet whether the transaction was broadcast", ...broadcast.why].join(": ") };
  }
}
