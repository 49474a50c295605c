import type { Transaction } from "./transaction.ts";
import { kindOfTransaction } from "./transaction-state.ts";

/**
 * Whether a record is written as the service that operators run writes it since v1.6, with what interface.md does not have
 * (service-facts 5.2): `is_canceled` beside a value in hex, a sequence as a text, or on Solana no relayer.
 */
export function isServiceRecord(transaction: Transaction): boolean {
  const { is_canceled, value, sequence_number, relayer_id } = transaction;
  switch (kindOfTransaction(transaction)) {
    case "evm":
      return is_canceled !== undefined && typeof value === "string" && value.startsWith("0x");
    case "stellar":
      return typeof sequence_number === "string";
    case "solana":
      return relayer_id === undefined;
    default:
      return false;
  }
}
