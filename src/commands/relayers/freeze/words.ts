import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { cell } from "../../../terminal/cells.ts";
import { visible } from "../../../terminal/escape.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Symbols } from "../many/coins.ts";
import type { OpenBecause } from "./open-transactions.ts";

/** The limit of an undo, for the question and the receipt. */
export const STAYS_CANCELED = "an undo resumes the relayers; canceled transactions stay canceled";

/** The maximum number of transactions in a question or a receipt. */
const MOST_SHOWN = 20;

const BECAUSE: Readonly<Record<OpenBecause, (relayer: Relayer | undefined) => string>> = {
  requested: () => "cancellation requested",
  paused: () => "the relayer was paused before",
  disabled: () => "the relayer is disabled",
  kind: (relayer) => `${relayer?.network_type === "stellar" ? "Stellar" : "Solana"} has no cancellations`,
  network: (relayer) => `nodes on ${cell(relayer?.network).text} refuse cancellations until the market rises by 10 %`,
  failed: () => "cancellation failed",
  arrived: () => "it arrived before the pause",
};

/** A transaction that can still be mined, as one line shows it. */
export interface OpenRow {
  relayer: Relayer | undefined;
  relayerId: string;
  transaction: { id: string; status?: JsonValue; value?: JsonValue; nonce?: JsonValue };
  because: OpenBecause;
  /** ISO 8601, or null. */
  until?: string | null;
}

/** Returns transactions that can still be mined, one per line, with the reason and the time until which. */
export function openLines(rows: readonly OpenRow[], symbols: Symbols): string[] {
  const texts = rows
    .slice(0, MOST_SHOWN)
    .map(({ relayer, relayerId, transaction, because, until }) => [
      visible(relayerId),
      (transaction.nonce ?? null) === null ? "" : `nonce ${visible(cell(transaction.nonce).text)}`,
      visible(cell(transaction.status).text),
      valueText(transaction.value, relayer, symbols),
      visible(transaction.id),
      [BECAUSE[because](relayer), ...(until ? [`until ${until.slice(0, 16).replace("T", " ")}Z`] : [])].join(", "),
    ]);
  const more = rows.length - texts.length;
  return [...aligned(texts).map((line) => `  ${visible(line)}`), ...(more > 0 ? [`  and ${grouped(more)} more`] : [])];
}

function valueText(value: JsonValue | undefined, relayer: Relayer | undefined, symbols: Symbols): string {
  const amount = wireAmount(value);
  if (amount === undefined) return "";
  return formatAmount(amount, currencyOf("evm", symbols.get(relayer?.network ?? "")));
}

interface Paying {
  before: Relayer | undefined;
  cancels: readonly Transaction[];
}

/**
 * Returns the sum of the payments to cancel for each network: `0.2 ETH on mainnet (3)`. A coin is never summed over
 * networks, since one of them may be a test network.
 */
export function paymentSums(targets: readonly Paying[], symbols: Symbols): string[] {
  const sums = new Map<string, { total: bigint; count: number }>();
  for (const { before, cancels } of targets) {
    const network = before?.network ?? "";
    for (const transaction of cancels) {
      const amount = networkKind(before) === "evm" ? (wireAmount(transaction.value) ?? 0n) : 0n;
      const { total, count } = sums.get(network) ?? { total: 0n, count: 0 };
      if (amount > 0n) sums.set(network, { total: total + amount, count: count + 1 });
    }
  }
  return [...sums].map(([network, { total, count }]) => {
    const amount = formatAmount(total, currencyOf("evm", symbols.get(network)));
    return `${amount} on ${visible(network) || "an unknown network"} (${grouped(count)})`;
  });
}

/** Returns `3 transactions`. */
export function countText(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
