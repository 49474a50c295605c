import { isJsonObject, type JsonObject } from "./json.ts";
import type { NetworkKind } from "./network-kind.ts";
import type { Transaction } from "./transaction/transaction.ts";

/** Looks for (facts 5.2): `is_canceled` next to a value in hex, a sequence as a string, or on Solana no relayer. */
export function isServiceRecord(transaction: Transaction, kind: NetworkKind): boolean {
  const { is_canceled, value, sequence_number, relayer_id, transaction: whole } = transaction;
  switch (kind) {
    case "evm":
      return is_canceled !== undefined && typeof value === "string" && value.startsWith("0x");
    case "stellar":
      return typeof sequence_number === "string";
    case "solana":
      return relayer_id === undefined && whole !== undefined;
  }
}

/** Returns whether a relayer looks like the real service's, on EVM since v1.7, by its three policies (facts 4.3). */
export function isServiceRelayer({ policies }: JsonObject): boolean {
  if (!isJsonObject(policies)) return false;
  const { min_balance, gas_limit_estimation, include_revert_data } = policies;
  return (
    min_balance !== undefined && [gas_limit_estimation, include_revert_data].every((flag) => typeof flag === "boolean")
  );
}
