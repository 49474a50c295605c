import { type Signed, sign } from "./chain.ts";
import { hex } from "./node.ts";
import type { Price } from "./pricing.ts";
import { START } from "./timeline.ts";

type Status = "pending" | "sent" | "submitted" | "mined" | "confirmed" | "failed" | "canceled";

export interface Version {
  to: string | null;
  value: bigint;
  data: string | null;
}

/** A transaction as the service stores it (facts 5.2), with internal fields. Times are times of the life. */
export interface Stored extends Version {
  id: string;
  relayer: string;
  from: string;
  hash: string | null;
  status: Status;
  reason: string | null;
  createdAt: number;
  sentAt: number | null;
  confirmedAt: number | null;
  nonce: number | null;
  /** All nonces that it ever had: two if it was sent twice (facts 15.9). */
  nonces: number[];
  gas: number | null;
  price: Price | undefined;
  speed: string;
  isCanceled: boolean;
  validUntil: number | undefined;
  /** When the price was last set, and how often it was raised by the clock. */
  pricedAt: number;
  raises: number;
  /** What it does, as it was signed, oldest first. */
  versions: Version[];
  /** Hashes that a node accepted. */
  broadcast: Set<string>;
  /** Hashes that a node refused because of their price, which the service takes for a success (facts 15.2). */
  refused: Set<string>;
  /** Hashes that the record showed. */
  shown: Set<string>;
  /** Whether a node accepted the version that the record shows. */
  isSent: boolean;
}

export function isFinal({ status }: Stored): boolean {
  return status === "confirmed" || status === "failed" || status === "canceled";
}

/** Whether a version only uses up its nonce (facts 5.1). */
export function isNoop({ to, value, data, from }: Version & { from: string }): boolean {
  return to === from && value === 0n && (data ?? "0x") === "0x";
}

/** Whether something can be signed: an address has 20 bytes (facts 13.3). */
export function isSignable({ to }: Version): boolean {
  return to === null || /^0x[0-9a-f]{40}$/i.test(to);
}

/** Signs what a record shows at its price; a missing gas limit is signed with 21000 (facts 5.4). */
export function signed(stored: Stored, price: Price): Signed {
  const { from, nonce, to, value, data, gas } = stored;
  const what = { to: to?.toLowerCase() ?? null, value, data: (data ?? "0x").toLowerCase(), gas: gas ?? 21_000 };
  return sign({ from, nonce: nonce ?? 0, ...what, ...price });
}

export function setPrice(stored: Stored, price: Price, now: number): void {
  stored.price = price;
  stored.pricedAt = now;
}

export function show(stored: Stored, hash: string): void {
  stored.hash = hash;
  stored.shown.add(hash);
}

export const noopOf = (from: string): Version => ({ to: from, value: 0n, data: "0x" });

/** Replaces what a record does by nothing; its hash stays until that is sent (facts 5.5). */
export function becomeNoop(stored: Stored, reason: string): void {
  Object.assign(stored, noopOf(stored.from), { gas: 21_000, reason, isSent: false });
  stored.versions.push(noopOf(stored.from));
}

const time = (at: number | null) => (at === null ? null : new Date(START + at).toISOString().replace("Z", "+00:00"));

/** Returns a record as the service writes it. */
export function json(stored: Stored): object {
  const { id, relayer, from, hash, status, reason, nonce, gas, price, speed, to, value, data, isCanceled } = stored;
  return {
    id,
    hash,
    status,
    status_reason: reason,
    created_at: time(stored.createdAt),
    sent_at: time(stored.sentAt),
    confirmed_at: time(stored.confirmedAt),
    gas_price: null,
    gas_limit: gas,
    nonce,
    value: hex(value),
    from,
    to,
    relayer_id: relayer,
    data,
    max_fee_per_gas: price ? String(price.maxFee) : null,
    max_priority_fee_per_gas: price ? String(price.tip) : null,
    signature: null,
    speed,
    is_canceled: isCanceled,
  };
}
