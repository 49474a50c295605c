import type { QueueChain, QueueEvidence } from "../../../src/chain/queue/diagnosis.ts";
import { feeMarket } from "../../../src/chain/replacement/fees.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { NOW } from "../fake-chain.ts";
import { OWN, record } from "../verdict/records.ts";

const GWEI = 10n ** 9n;

/** A market with a base fee of 10 gwei, and tips of 1 gwei. */
const MARKET = feeMarket(
  {
    baseFee: 10n * GWEI,
    tips: { safeLow: [GWEI], average: [GWEI], fast: [GWEI], fastest: [2n * GWEI] },
  },
  12_000,
);

/** Returns a time so many seconds ago, as the service writes it. */
export const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString().replace("Z", "+00:00");

/** Returns a record with a nonce and its own ID, five minutes old, which pays 12 gwei at most. */
export function at(nonce: number | null, fields: object = {}): Transaction {
  return record({ id: `tx-${nonce ?? "new"}`, nonce, max_fee_per_gas: "12000000000", ...fields });
}

/** A transaction that the service has not prepared. */
export const UNPREPARED = {
  status: "pending",
  hash: null,
  sent_at: null,
  max_fee_per_gas: null,
  max_priority_fee_per_gas: null,
};
/** The fields of a transaction that has a nonce, and is not signed. */
export const UNSIGNED = { status: "pending", hash: null, sent_at: null };
/** The fields of a transaction that was signed, and not sent as far as the service knows. */
export const UNSENT = { status: "sent", sent_at: null };

/** A node that knows the head's hash. */
const KNOWS: QueueChain["waiting"] = { knowsRecord: true, fees: undefined };
/** A node that does not know the head's hash. */
export const LACKS: QueueChain["waiting"] = { knowsRecord: false, fees: undefined };

/** Returns a queue whose next nonce is 4. */
export function queue(
  records: readonly Transaction[],
  chain: Partial<QueueChain> | null = {},
  more: Partial<QueueEvidence> = {},
): QueueEvidence {
  const seen: QueueChain = {
    nonce: 4n,
    pooled: 4n,
    baseFee: 10n * GWEI,
    market: MARKET,
    balance: 10n ** 18n,
    waiting: KNOWS,
    ...chain,
  };
  return {
    relayer: { id: "evm-1", address: OWN, isPaused: false, isDisabled: false },
    records,
    chain: chain === null ? undefined : seen,
    isUnraised: false,
    symbol: "ETH",
    now: NOW,
    ...more,
  };
}
