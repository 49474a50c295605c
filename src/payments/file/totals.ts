import { type Currency, formatAmount } from "../../contract/amount.ts";
import { pluralize } from "../../contract/decimal.ts";
import { alignWidths, type Cells } from "../../terminal/width.ts";
import type { Payment, Payments } from "../payment.ts";

export type Totals = ReturnType<typeof totalsOf>;

const SHOWN = 3;

export function totalsOf(payments: Payments) {
  const first: Payment[] = [];
  let largest: Payment[] = [];
  let [sum, calls] = [0n, 0];
  const receivers = new Set<string>();
  for (const payment of payments) {
    if (first.length < SHOWN) first.push(payment);
    const at = largest.findIndex(({ value }) => payment.value > value);
    if (at >= 0 || largest.length < SHOWN)
      largest = largest.toSpliced(at < 0 ? largest.length : at, 0, payment).slice(0, SHOWN);
    sum += payment.value;
    if (payment.data !== undefined) calls++;
    receivers.add(payment.to.toLowerCase());
  }
  return { payments: payments.length, sum, first, largest, receivers: receivers.size, calls };
}

export interface Money {
  coin: Currency;
  /** All fees, if they can be estimated. */
  fees?: bigint;
  balance?: bigint;
}

/** Returns rows for the question: a label, and its cells. No amount is rounded. */
export function totalRows({ payments, sum, first, largest, receivers, calls }: Totals, money: Money): Cells[] {
  const { coin, fees, balance } = money;
  const called = calls === 0 ? "" : `, ${pluralize(calls, "call")} of a contract`;
  return [
    ["payments", `${pluralize(payments, "payment")} to ${pluralize(receivers, "receiver")}${called}`],
    ...paymentRows(payments > SHOWN ? "first" : "rows", first, coin),
    ...(payments > SHOWN ? paymentRows("largest", largest, coin) : []),
    ["sum", formatAmount(sum, coin)],
    ["fees", fees === undefined ? "set by the service" : `about ${formatAmount(fees, coin)}`],
    ...(balance === undefined ? [] : [["balance", balanceText(sum + (fees ?? 0n), { ...money, balance })]]),
  ];
}

function paymentRows(label: string, payments: readonly Payment[], coin: Currency): Cells[] {
  const rows = payments.map(({ value, to, row }) => [formatAmount(value, coin), to, `row ${row}`]);
  return alignWidths(rows, "").map((row, at) => [at === 0 ? label : "", row]);
}

function balanceText(spent: bigint, { coin, fees, balance }: Money & { balance: bigint }): string {
  const now = formatAmount(balance, coin);
  if (spent > balance) return `${now}; not enough for the fees`;
  const left = formatAmount(balance - spent, coin);
  return fees === undefined ? `${now} → ${left}, less the fees` : `${now} → about ${left}`;
}
