import type { JsonObject, JsonValue } from "../json.ts";
import { amount, nullish, object, text } from "../reply/shape.ts";

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

export const transactionShape = object({
  id: text,
  relayer_id: nullish(text),
  status: nullish(text),
  status_reason: nullish(text),
  created_at: nullish(text),
  sent_at: nullish(text),
  confirmed_at: nullish(text),
  hash: nullish(text),
  from: nullish(text),
  to: nullish(text),
  value: nullish(amount),
  data: nullish(text),
  nonce: nullish(amount),
  gas_limit: nullish(amount),
  gas_price: nullish(amount),
  max_fee_per_gas: nullish(amount),
  max_priority_fee_per_gas: nullish(amount),
});
