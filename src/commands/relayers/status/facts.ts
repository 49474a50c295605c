import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { valueText } from "../../../terminal/select/path.ts";
import type { RelayerStatus } from "./health.ts";

/**
 * What a relayer holds, what is in progress and what counts its transactions: `0.5 ETH`, `2 pending`, `nonce 12`.
 * @param symbol of the coin of its network, where that is known
 */
export function statusFacts({ relayer, status }: RelayerStatus, symbol: string | undefined): string[] {
  if (status === null) return [];
  const { balance, pending_transactions_count: pending, nonce, sequence_number: sequence } = status;
  return [
    balanceText(balance, status.network_type ?? relayer.network_type, symbol),
    named(pending, (count) => `${count} pending`),
    named(nonce, (count) => `nonce ${count}`) || named(sequence, (count) => `sequence ${count}`),
  ];
}

/** Exact, and without the digits that `-o json` has; as it came where the unit is not known. */
function balanceText(balance: JsonValue | undefined, kind: JsonValue | undefined, symbol: string | undefined): string {
  const amount = wireAmount(balance);
  return amount !== undefined && isNetworkKind(kind)
    ? formatAmount(amount, currencyOf(kind, symbol))
    : valueText(balance);
}

function named(value: JsonValue | undefined, words: (text: string) => string): string {
  const text = valueText(value);
  return text === "" ? "" : words(text);
}
