import { compare, type Difference } from "../../client/read-back/compare.ts";
import { currencyOf } from "../../contract/currency.ts";
import type { JsonValue } from "../../contract/json.ts";
import { PRICES, type Transaction } from "../../contract/transaction/transaction.ts";
import { statusOf } from "../../contract/transaction/transaction-state.ts";
import type { Problem } from "../../errors.ts";
import { shownField } from "./body-rows.ts";
import type { ChainRecord } from "./evm.ts";

const COMPARED = ["from", "to", "value", "data", "nonce", "gas_limit", ...PRICES];

/** Returns how the record and the chain differ for one hash. @param symbol the symbol of the network's coin */
export function differencesOf(transaction: Transaction, chain: ChainRecord, symbol: string | undefined): Problem[] {
  const status = stateRule(statusOf(transaction), chain);
  const statusDifference =
    status === undefined ? [] : [{ where: "status", given: statusOf(transaction), rule: status }];
  return chain.state === "unknown"
    ? statusDifference
    : [...statusDifference, ...fieldDifferences(transaction, chain, symbol)];
}

/** Returns the contradiction between states. A record that lags behind the chain is not one: it will catch up. */
function stateRule(status: string, { state, failed }: ChainRecord): string | undefined {
  const isDone = status === "mined" || status === "confirmed";
  if (state === "unknown")
    return isDone || status === "submitted" ? "the node does not know the transaction" : undefined;
  if (state === "waiting") return isDone ? "on the chain it still waits to be mined" : undefined;
  if (failed) return isDone ? "on the chain it was mined and failed" : undefined;
  return failed === false && (status === "failed" || status === "expired")
    ? "on the chain it was mined and succeeded"
    : undefined;
}

/** Returns fields with different values; fields that the record leaves open do not count. */
function fieldDifferences(transaction: Transaction, { fields }: ChainRecord, symbol: string | undefined): Problem[] {
  const recorded = COMPARED.map((key): [string, JsonValue] => [
    key,
    transaction[key] ?? (key === "data" ? "0x" : null),
  ]);
  const coin = currencyOf("evm", symbol);
  const { different } = compare(Object.fromEntries(recorded), fields, () => "unconfirmed");
  return different.map(({ path, requested, returned }: Difference) => ({
    where: path,
    given: shownField(path, requested, coin),
    rule: `the chain holds ${shownField(path, returned, coin)}`,
  }));
}
