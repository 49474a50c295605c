import type { Transaction } from "../../contract/transaction.ts";
import { RelayctlError } from "../../errors.ts";

/**
 * The record shows the newest hash alone, so the one that it had is told here or nowhere (service-facts 13.1). It keeps
 * that one until what takes its place is sent (5.5).
 * @param successor what takes its place: `the no-op`
 */
export function hashesText(before: Transaction | undefined, after: Transaction, successor: string): string {
  if (!before) return `now: ${hashText(after)}`;
  const isKept = typeof after.hash === "string" && after.hash === before.hash;
  const now = isKept ? `the same until ${successor} is sent` : hashText(after);
  return `before: ${hashText(before)}  now: ${now}`;
}

/** The same where it is not known what came of it, or something else did than was asked. */
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
