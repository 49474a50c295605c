import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import { evm } from "./transactions.ts";

const MAIN_1 = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const MAIN_2 = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const BASE = "0x8ba1f109551bd432803012645ac136ddd64dba72";
/** The first of these hashes, far above those that the server gives out. */
const FIRST_HASH = 910_000_000;

/**
 * What waits behind the transaction of eth-main-1 with nonce 7, which pays less than the base fee: it is confirmed once
 * that one is.
 */
export const queuedRecords: readonly Resource[] = [
  waiting(0, {
    id: "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9",
    created_at: "2026-08-20T10:06:10.000000000+00:00",
    sent_at: "2026-08-20T10:06:11.250000000+00:00",
    to: BASE,
    value: "50000000000000000",
    nonce: 8,
    max_fee_per_gas: "28000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  }),
  // Its high price does not help it, and leaves no room below the relayer's cap, 80 gwei, for a higher one (facts 15.1).
  waiting(1, {
    id: "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a",
    created_at: "2026-08-20T10:07:42.000000000+00:00",
    sent_at: "2026-08-20T10:07:43.500000000+00:00",
    to: MAIN_2,
    value: "100000000000000000",
    nonce: 9,
    max_fee_per_gas: "69565217391",
    max_priority_fee_per_gas: "2000000000",
  }),
  waiting(2, {
    id: "3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b",
    created_at: "2026-08-20T10:09:05.000000000+00:00",
    sent_at: "2026-08-20T10:09:06.750000000+00:00",
    to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    value: "25000000000000000",
    nonce: 10,
    max_fee_per_gas: "28000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  }),
];

export const queuedLifecycles: readonly Lifecycle[] = queuedRecords.map(({ id }) => ({ id, next: "mined", due: 0 }));

function waiting(number: number, fields: Resource): Resource {
  return evm(FIRST_HASH + number, { relayer_id: "eth-main-1", status: "submitted", from: MAIN_1, ...fields });
}
