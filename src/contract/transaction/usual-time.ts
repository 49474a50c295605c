import type { NetworkKind } from "../network-kind.ts";
import { knownTime } from "../reply/received-time.ts";
import { isPending, type Transaction, txStatus } from "./transaction.ts";

const MINUTE = 60_000;

/** The milliseconds after which the service sends a submitted transaction again at a higher price, by speed (facts 5.1). */
const RAISED_AFTER: Readonly<Record<string, number>> = {
  safeLow: 10 * MINUTE,
  average: 5 * MINUTE,
  fast: 3 * MINUTE,
  fastest: 2 * MINUTE,
};
/** The same before it was broadcast: the service prepares and sends it again after 20 and 25 seconds (facts 5.1). */
const SENT_AFTER = 25_000;
/** Networks of the other kinds take seconds (facts 5.1). */
const OTHER_KINDS = MINUTE;

export function transactionAge({ created_at }: Pick<Transaction, "created_at">, now: number): number | undefined {
  const created = knownTime(created_at);
  return created === undefined ? undefined : Math.max(0, now - created);
}

/** Returns whether a transaction has been pending for longer than usual, so that the service itself would send it again. */
export function isBeyondUsualTime(transaction: Transaction, kind: NetworkKind, now: number): boolean {
  const age = transactionAge(transaction, now);
  return isPending(transaction) && age !== undefined && age > usualTime(transaction, kind);
}

function usualTime(transaction: Transaction, kind: NetworkKind): number {
  if (kind !== "evm") return OTHER_KINDS;
  if (txStatus(transaction) !== "submitted") return SENT_AFTER;
  return usualRaiseTime(transaction.speed);
}

export function usualRaiseTime(speed: unknown): number {
  return RAISED_AFTER[String(speed)] ?? 3 * MINUTE;
}

/** The milliseconds after its creation for which the service tries to get a transaction mined (facts 5.1). */
const USUAL_VALIDITY: Readonly<Record<NetworkKind, number>> = {
  evm: 480 * MINUTE,
  solana: 30 * MINUTE,
  stellar: 2 * MINUTE,
};

/**
 * Returns when the service gives up a pending transaction that was sent without `valid_until`, which no record shows, in
 * milliseconds since 1970: EVM transactions are then replaced with a no-op, the others expire. Undefined if the record
 * does not show when it was created.
 */
export function usualEnd({ created_at }: Transaction, kind: NetworkKind): number | undefined {
  const created = knownTime(created_at);
  return created === undefined ? undefined : created + USUAL_VALIDITY[kind];
}
