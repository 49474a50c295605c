import type { Resource } from "../state/collection.ts";
import { BASE, MAIN_1, MAIN_2 } from "./relayers.ts";
import { evm, sentBefore, timeBefore } from "./transactions.ts";

/** The first of these hashes, far above the server's own. */
const FIRST_HASH = 900_000_000;

interface Misleading {
  record: Resource;
  /** The version that was mined instead, if any. */
  mined?: Resource;
}

/** Returns four misleading records, as operators of the service meet them. */
export function listMisleading(start: number): readonly Misleading[] {
  return [replacedOnBase(start), canceledOnBase(start), keptBackByCap(start), { record: neverSigned(start) }];
}

/** Base is a network without a bump: the replacement was never sent, and the original was mined (facts 15.2). */
function replacedOnBase(start: number): Misleading {
  const original = evm(FIRST_HASH, {
    id: "e5f60718-293a-4b4c-8d5e-6f708192a3b4",
    relayer_id: "base-hot",
    status: "confirmed",
    ...sentBefore(start, 232),
    to: MAIN_1,
    value: "20000000000000000",
    nonce: 0,
    max_fee_per_gas: "5000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  });
  const replacement = { value: "25000000000000000", ...hashed(1), status: "failed" };
  const status_reason = "Nonce 0 consumed externally (on-chain nonce: 1). No matching transaction hash found on-chain.";
  return { mined: original, record: { ...original, ...replacement, status_reason } };
}

/** A cancellation is never sent there either: it comes too late (facts 15.3). */
function canceledOnBase(start: number): Misleading {
  const original = evm(FIRST_HASH + 2, {
    id: "a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90",
    relayer_id: "base-hot",
    status: "confirmed",
    ...sentBefore(start, 220),
    confirmed_at: timeBefore(start, 219.5),
    to: MAIN_2,
    value: "40000000000000000",
    nonce: 1,
    max_fee_per_gas: "5000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  });
  const status_reason = "Transaction canceled by user, replacing with NOOP";
  const noop = { to: BASE, value: "0", data: "0x", status_reason, is_canceled: true };
  return { mined: original, record: { ...original, ...noop } };
}

/** The relayer's cap, 80 gwei, is below the replacement's price, so it is never sent (facts 15.1). */
function keptBackByCap(start: number): Misleading {
  const original = evm(FIRST_HASH + 3, {
    id: "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f",
    relayer_id: "eth-main-1",
    status: "confirmed",
    ...sentBefore(start, 235),
    to: MAIN_2,
    value: "300000000000000000",
    nonce: 5,
    max_fee_per_gas: "70000000000",
    max_priority_fee_per_gas: "1000000000",
    speed: "fast",
  });
  const prices = { max_fee_per_gas: "77000000000", max_priority_fee_per_gas: "1100000000" };
  const replacement = { value: "350000000000000000", ...hashed(4), ...prices, status: "submitted" };
  return { mined: original, record: { ...original, ...replacement } };
}

/** The receiver lacks a digit: the transaction has a nonce, and can never be signed (facts 16.3). */
function neverSigned(start: number): Resource {
  return evm(FIRST_HASH + 5, {
    id: "5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d",
    relayer_id: "polygon-bulk",
    status: "pending",
    created_at: timeBefore(start, 3.2),
    hash: null,
    to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c",
    value: "1000000000000000000",
    nonce: 1_205,
    gas_price: "48000000000",
    speed: "fast",
    signature: null,
  });
}

function hashed(number: number): Pick<Resource, "hash" | "signature"> {
  const { hash = null, signature = null } = evm(FIRST_HASH + number, { id: "" });
  return { hash, signature };
}
