import * as z from "zod/mini";
import { wireAmount } from "./amount.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * A transaction as the service answers it (interface.md, Transaction; service-facts 5.2). Amounts come as JSON
 * integers, decimal strings or `0x` strings, depending on the field and the version. The kind shows in the members:
 * `source_account` is Stellar's, `transaction` Solana's, `from` EVM's.
 */
export type Transaction = TransactionMembers & JsonObject;

/** The members that are documented; nothing but the id is sure to be there. */
export interface TransactionMembers {
  id: string;
  relayer_id?: string | null;
  /** `pending`, `sent`, `submitted`, `mined`, `confirmed`, `failed`, `canceled`, `expired` (service-facts 5.1). */
  status?: string | null;
  status_reason?: string | null;
  hash?: string | null;
  from?: string | null;
  to?: string | null;
  data?: string | null;
  /** Wei, in one of the three spellings; `parseAmount` and `wireAmount` read them. */
  value?: JsonValue;
  /** RFC 3339. */
  created_at?: string | null;
  sent_at?: string | null;
  confirmed_at?: string | null;
}

const amount = z.custom<JsonValue>((value) => wireAmount(value as JsonValue) !== undefined, "an amount");

export const transactionSchema = z.looseObject({
  id: z.string(),
  relayer_id: z.nullish(z.string()),
  status: z.nullish(z.string()),
  status_reason: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
  sent_at: z.nullish(z.string()),
  confirmed_at: z.nullish(z.string()),
  hash: z.nullish(z.string()),
  from: z.nullish(z.string()),
  to: z.nullish(z.string()),
  value: z.nullish(amount),
  data: z.nullish(z.string()),
  nonce: z.nullish(amount),
  gas_limit: z.nullish(amount),
  gas_price: z.nullish(amount),
  max_fee_per_gas: z.nullish(amount),
  max_priority_fee_per_gas: z.nullish(amount),
});
