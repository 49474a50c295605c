import type { JsonInteger, JsonObject } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";

/** The body of a replacement; its fields show the network type. */
export type Replacement = EvmReplacement | SolanaReplacement | StellarReplacement;

/** The field that a replacement of each kind must have, and that no other kind has (interface 3). */
export const DISTINGUISHING_FIELD: Record<NetworkKind, string> = {
  evm: "value",
  solana: "transaction",
  stellar: "network",
};

/** The gas of a transfer, which the service also signs a no-op and a transaction without a limit with (facts 5.1, 5.4). */
export const TRANSFER_GAS = 21_000n;

/** The default of the highest fee in stroops on Stellar (facts 5.7). */
export const DEFAULT_STELLAR_FEE = 1_000_000n;

export const SPEEDS = ["fastest", "fast", "average", "safeLow"] as const;

/** Returns the least price of an accepted replacement: a tenth more, and at least 1 more (facts 15.1, 15.2). */
export function leastReplacementPrice(old: bigint): bigint {
  const tenthMore = (old * 11n) / 10n;
  return tenthMore > old + 1n ? tenthMore : old + 1n;
}

/** interface 3.1. Amounts are in wei. */
export interface EvmReplacement {
  value: JsonInteger;
  to?: string;
  data?: string;
  gas_limit?: JsonInteger | null;
  gas_price?: JsonInteger;
  max_fee_per_gas?: JsonInteger;
  max_priority_fee_per_gas?: JsonInteger;
  speed?: (typeof SPEEDS)[number];
  valid_until?: string;
}

/** interface 3.2: a serialized transaction as text, base64 on the real service. */
export interface SolanaReplacement {
  transaction: string;
}

/** interface 3.3. `max_fee` is in stroops (default: 1,000,000). Fields of operations are passed on unchanged. */
export interface StellarReplacement {
  network: string;
  source_account?: string | null;
  operations?: JsonObject[] | null;
  transaction_xdr?: string | null;
  memo?: Memo | null;
  valid_until?: string | null;
  fee_bump?: boolean | null;
  max_fee?: JsonInteger | null;
}

/** interface 3.4. The real service reads a hash as 64 hex characters instead (facts 5.7). */
type Memo =
  | { type: "none" }
  | { type: "text"; value: string }
  | { type: "id"; value: JsonInteger }
  | { type: "hash" | "return"; value: JsonInteger[] };
