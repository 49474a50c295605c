import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { NOW } from "../fake-chain.ts";

export const OWN = `0x${"70".repeat(20)}`;
export const TO = `0x${"3c".repeat(20)}`;
export const hash = (digit: string) => `0x${digit.repeat(64)}`;
export const [ORIGINAL, PUT, THIRD, NOOP_HASH, FOREIGN] = ["a", "b", "c", "d", "f"].map(hash) as [
  string,
  string,
  string,
  string,
  string,
];

const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString().replace("Z", "+00:00");

/** A record as the service returns it: a transfer of 1000 wei with the nonce 4, sent five minutes ago. */
export function record(fields: object = {}): Transaction {
  return {
    id: "tx-1",
    relayer_id: "evm-1",
    hash: ORIGINAL,
    status: "submitted",
    status_reason: null,
    created_at: at(310),
    sent_at: at(300),
    confirmed_at: null,
    nonce: 4,
    value: "0x3e8",
    from: OWN,
    to: TO,
    data: null,
    gas_limit: 21_000,
    gas_price: null,
    max_fee_per_gas: "10000000000",
    max_priority_fee_per_gas: "1000000000",
    is_canceled: false,
    ...fields,
  };
}

/** The fields that a cancellation gives a record. */
export const CANCELLATION = {
  to: OWN,
  value: "0x0",
  data: "0x",
  is_canceled: true,
  status_reason: "Transaction canceled by user, replacing with NOOP",
};

/** The fields that a replacement by 2000 wei gives a record, priced a tenth higher. */
export const REPLACEMENT = {
  hash: PUT,
  value: "0x7d0",
  max_fee_per_gas: "11000000000",
  max_priority_fee_per_gas: "1100000000",
};

/** Earlier transactions of the account, so that its next nonce is 4. */
export const EARLIER = [0, 1, 2, 3].map((nonce) => ({
  hash: hash(String(nonce)),
  from: OWN,
  nonce,
  block: 10 + nonce,
}));

/** The transfer, its replacement, and its cancellation on the chain. */
export const TRANSFER = { hash: ORIGINAL, from: OWN, to: TO, value: 1_000n, nonce: 4 };
export const REPLACED = { ...TRANSFER, hash: THIRD, value: 2_000n, maxFee: 12_100_000_000n, tip: 1_210_000_000n };
export const NOOP = { ...TRANSFER, hash: NOOP_HASH, to: OWN, value: 0n };

/** The transfer on the chain, in a block below the newest one. */
export const mined = (block: number, height: number) => ({
  height,
  transactions: [{ ...TRANSFER, block, paid: 12n * 10n ** 9n }],
});
