import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import { receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";

/**
 * Returns the previous hash of a transaction: the record shows only the newest one (facts 13.1), and keeps it until its
 * successor is sent (facts 5.5).
 * @param successor what takes its place: `the no-op`
 */
export function hashesText(before: Transaction | undefined, after: Transaction, successor: string): string {
  if (!before) return `now: ${hashText(after)}`;
  const isKept = typeof after.hash === "string" && after.hash === before.hash;
  const now = isKept ? `the same until ${successor} is sent` : hashText(after);
  return `before: ${hashText(before)}  now: ${now}`;
}

/** Returns a line if the journal has the previous hash, so that `--was` need not be typed. */
export function hashKept(
  { recordedRun }: Pick<Session, "recordedRun">,
  before: Transaction | undefined,
): readonly string[] {
  return typeof before?.hash === "string" && recordedRun() !== undefined ? [receiptWords.hashKept] : [];
}

/** Adds the previous hash to an error with an unknown or different outcome. */
export async function namingHash<T>(sending: Promise<T>, before: Transaction | undefined): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.applied === "no" || !before) throw error;
    throw error.with({ because: [`the hash before: ${hashText(before)}`] });
  }
}

function hashText({ hash }: Transaction): string {
  return typeof hash === "string" ? hash : "no hash yet";
}
