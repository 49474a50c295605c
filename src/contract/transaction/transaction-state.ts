import { wireAmount } from "../amount.ts";
import type { JsonValue } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";
import type { Transaction } from "./transaction.ts";

/** Every status of a transaction (facts 5.1). */
export const STATUSES = [
  "pending",
  "sent",
  "submitted",
  "mined",
  "confirmed",
  "failed",
  "canceled",
  "expired",
] as const;

/** The states in which a transaction can still be replaced or canceled (facts 5.4, 5.5). */
export const PENDING_STATUSES = ["pending", "sent", "submitted"] as const;

const FINAL: readonly string[] = ["confirmed", "failed", "canceled", "expired"];

/** The status in lower case; empty where there is none. An item of a list may hold anything there. */
export function statusOf({ status }: Transaction): string {
  return textOf(status).toLowerCase();
}

/** The reason in the service's own words; empty where there is none. */
export function reasonOf({ status_reason }: Transaction): string {
  return textOf(status_reason);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Whether it can still be replaced or cancelled. A status that is not known says neither. */
export function isPending(transaction: Transaction): boolean {
  return (PENDING_STATUSES as readonly string[]).includes(statusOf(transaction));
}

/** Whether nothing more will become of it. */
export function isFinal(status: string): boolean {
  return FINAL.includes(status);
}

/** The kind, as the members of a transaction show it (facts 5.2): no member contains it. */
export function kindOfTransaction(transaction: Transaction): NetworkKind | undefined {
  if (transaction.source_account !== undefined) return "stellar";
  if (transaction.transaction !== undefined || transaction.instructions !== undefined) return "solana";
  return transaction.from === undefined ? undefined : "evm";
}

/** Whether a record shows that its cancellation was accepted, in any version of the service (facts 5.5). */
export function showsCancellation(transaction: Transaction): boolean {
  return statusOf(transaction) === "canceled" || isBeingCancelled(transaction) || isNoop(transaction);
}

/** Whether its cancellation was accepted and stands: one that was replaced after it keeps `is_canceled`, and is live again. */
export function isBeingCancelled(transaction: Transaction): boolean {
  return transaction.is_canceled === true && !holdsTransfer(transaction);
}

/** Whether it was replaced after its cancellation was accepted (facts 5.4, 5.5). */
export function isLiveAgain(transaction: Transaction): boolean {
  return transaction.is_canceled === true && holdsTransfer(transaction);
}

/** A record that does not tell what it holds is no proof of a transfer. */
function holdsTransfer(transaction: Transaction): boolean {
  return transaction.value !== undefined && !isNoop(transaction);
}

/** The shape of a transaction that only uses up its nonce: nothing sent to itself, without data (facts 5.1). */
export function isNoop({ from, to, value, data }: Transaction): boolean {
  const goesNowhere = textOf(from) !== "" && textOf(from).toLowerCase() === textOf(to).toLowerCase();
  return goesNowhere && wireAmount(value) === 0n && [undefined, null, "", "0x"].includes(data);
}
