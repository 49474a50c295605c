import { wireAmount } from "../amount.ts";
import { groupDigits } from "../decimal.ts";
import { type JsonObject, type JsonValue, textIn } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";
import { amount, nullishShape, objectShape, text } from "../reply/shape.ts";

/**
 * A transaction as the service returns it (interface 2.4, facts 5.2). Amounts are JSON integers, strings of digits, or
 * `0x` strings, depending on the field and the version. The fields show the kind: `source_account` is Stellar's,
 * `transaction` Solana's, `from` EVM's.
 */
export type Transaction = TransactionFields & JsonObject;

/** Only the ID is always present. */
interface TransactionFields {
  id: string;
  relayer_id?: string | null;
  /** `pending`, `sent`, `submitted`, `mined`, `confirmed`, `failed`, `canceled`, `expired` (facts 5.1). */
  status?: string | null;
  status_reason?: string | null;
  hash?: string | null;
  from?: string | null;
  to?: string | null;
  data?: string | null;
  /** Wei, as a JSON integer, decimal digits, or `0x` digits. */
  value?: JsonValue;
  /** RFC 3339. */
  created_at?: string | null;
  sent_at?: string | null;
  confirmed_at?: string | null;
}

export const PRICES: readonly string[] = ["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];

export const transactionShape = objectShape({
  id: text,
  relayer_id: nullishShape(text),
  status: nullishShape(text),
  status_reason: nullishShape(text),
  created_at: nullishShape(text),
  sent_at: nullishShape(text),
  confirmed_at: nullishShape(text),
  hash: nullishShape(text),
  from: nullishShape(text),
  to: nullishShape(text),
  value: nullishShape(amount),
  data: nullishShape(text),
  nonce: nullishShape(amount),
  gas_limit: nullishShape(amount),
  gas_price: nullishShape(amount),
  max_fee_per_gas: nullishShape(amount),
  max_priority_fee_per_gas: nullishShape(amount),
});

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

/** Returns the status, a known one in lowercase, or "". In an item of a list it may have any type. */
export function txStatus({ status }: Transaction | JsonObject): string {
  const text = textIn(status);
  const lower = text.toLowerCase();
  // Another case would hide a secret in it from a search.
  return STATUSES.some((known) => known === lower) ? lower : text;
}

/** Returns the reason in the service's words, or "". */
export function txReason({ status_reason }: Transaction): string {
  return textIn(status_reason);
}

/** Returns whether a transaction can still be replaced or canceled. An unknown status is neither pending nor final. */
export function isPending(transaction: Transaction | JsonObject): boolean {
  return (PENDING_STATUSES as readonly string[]).includes(txStatus(transaction));
}

export function isFinal(status: string): boolean {
  return ["confirmed", "failed", "canceled", "expired"].includes(status);
}

/** Returns how many transactions have come how far: `20 submitted, 12 mined`. */
export function phasesText(statuses: readonly string[]): string {
  const counts = STATUSES.map((status) => [statuses.filter((each) => each === status).length, status] as const);
  return counts.flatMap(([count, status]) => (count === 0 ? [] : `${groupDigits(count)} ${status}`)).join(", ");
}

export type TransactionState = ReturnType<typeof txState>;

export function txState(transaction: Transaction) {
  const status = txStatus(transaction);
  const replaced = isTransactionLiveAgain(transaction) ? "replaced" : undefined;
  return {
    /** In lowercase, or "". */
    status,
    /** Whether its cancellation stands, or a later replacement revived it (facts 5.4, 5.5); undefined without one. */
    cancellation: isTxBeingCanceled(transaction) ? "stands" : replaced,
    isNoop: isNoopTx(transaction),
    /** Whether it is known to allow no more changes. */
    isOver: (STATUSES as readonly string[]).includes(status) && !isPending(transaction),
  };
}

/** Returns whether an EVM transaction is not signed yet, so that nothing of it can be on the network (facts 13.6). */
export function isUnsignedTx(transaction: Transaction, kind: NetworkKind): boolean {
  return kind === "evm" && txStatus(transaction) === "pending" && transaction.hash === null;
}

/** Returns whether a record shows that its cancellation was accepted, in any version of the service (facts 5.5). */
export function showsTransactionCancellation(transaction: Transaction): boolean {
  return txStatus(transaction) === "canceled" || isTxBeingCanceled(transaction) || isNoopTx(transaction);
}

/** Returns whether the service found its nonce used by a transaction with an unknown hash (facts 13.1). */
export function isTransactionConsumed(transaction: Transaction): boolean {
  return /consumed externally/i.test(txReason(transaction));
}

/** Returns whether its accepted cancellation stands: a later replacement revives it and keeps `is_canceled`. */
export function isTxBeingCanceled(transaction: Transaction): boolean {
  return transaction.is_canceled === true && !holdsTransfer(transaction);
}

/** Returns whether it was replaced after its cancellation was accepted (facts 5.4, 5.5). */
export function isTransactionLiveAgain(transaction: Transaction): boolean {
  return transaction.is_canceled === true && holdsTransfer(transaction);
}

/** Returns whether the record contains a transfer; missing fields don't prove one. */
function holdsTransfer(transaction: Transaction): boolean {
  return transaction.value !== undefined && !isNoopTx(transaction);
}

/** Returns whether a transaction only uses up its nonce: nothing, to its sender, without data (facts 5.1). */
export function isNoopTx({ from, to, value, data }: Transaction): boolean {
  const goesNowhere = textIn(from) !== "" && textIn(from).toLowerCase() === textIn(to).toLowerCase();
  return goesNowhere && wireAmount(value) === 0n && [undefined, null, "", "0x"].includes(data);
}

export function transactionPaysNothing(record: Pick<Transaction, "status">): boolean {
  return ["canceled", "expired", "failed"].includes(txStatus(record));
}
