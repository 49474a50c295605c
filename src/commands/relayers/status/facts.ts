import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { BASE_UNIT, isNetworkKind } from "../../../contract/network-kind.ts";
import { valueText } from "../../../terminal/select/path.ts";
import type { RelayerStatus } from "./health.ts";

/** What a relayer holds, what is under way and what counts its transactions: `0.5 ETH`, `2 pending`, `nonce 12`. */
export function statusFacts({ relayer, status }: RelayerStatus): string[] {
  if (status === null) return [];
  const { balance, pending_transactions_count: pending, nonce, sequence_number: sequence } = status;
  return [
    balanceText(balance, status.network_type ?? relayer.network_type),
    named(pending, (count) => `${count} pending`),
    named(nonce, (count) => `nonce ${count}`) || named(sequence, (count) => `sequence ${count}`),
  ];
}

/** Exact, and without the digits that `-o json` has; as it came where the unit is not known. */
function balanceText(balance: JsonValue | undefined, kind: JsonValue | undefined): string {
  const amount = wireAmount(balance);
  return amount !== undefined && isNetworkKind(kind) ? formatAmount(amount, BASE_UNIT[kind]) : valueText(balance);
}

function named(value: JsonValue | undefined, words: (text: string) => string): string {
  const text = valueText(value);
  return text === "" ? "" : words(text);
}
