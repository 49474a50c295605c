import type { Transaction } from "../../contract/transaction.ts";
import { RelayctlError } from "../../errors.ts";

/** The record shows the newest hash alone, so the one that it had is told here or nowhere (service-facts 13.1). */
export function hashesText(before: Transaction | undefined, after: Transaction): string {
  return [...(before ? [`before: ${hashText(before)}`] : []), `now: ${hashText(after)}`].join("  ");
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
