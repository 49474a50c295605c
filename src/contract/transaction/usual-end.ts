import type { NetworkKind } from "../network-kind.ts";
import { knownTime } from "../reply/received-time.ts";
import type { Transaction } from "./transaction.ts";

const MINUTE = 60_000;

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
