import { coinAmount } from "../../contract/amount.ts";
import type { Currency } from "../../contract/currency.ts";
import { counted } from "../../contract/decimal.ts";
import type { Payment, Payments } from "../payment.ts";

export interface Totals {
  payments: number;
  sum: bigint;
  largest: Payment | undefined;
  receivers: number;
  /** The number of payments that call a contract. */
  calls: number;
}

export function totalsOf(payments: Payments): Totals {
  let largest: Payment | undefined;
  let [sum, calls] = [0n, 0];
  const receivers = new Set<string>();
  for (const payment of payments) {
    if (!largest || payment.value > largest.value) largest = payment;
    sum += payment.value;
    if (payment.data !== undefined) calls++;
    receivers.add(payment.to.toLowerCase());
  }
  return { payments: payments.length, sum, largest, receivers: receivers.size, calls };
}

export interface Money {
  coin: Currency;
  /** All fees together, if they can be estimated. */
  fees?: bigint;
  balance?: bigint;
}

/** Returns rows for the question: a label, and the cells next to it. No amount is rounded. */
export function totalRows({ payments, sum, largest, receivers, calls }: Totals, money: Money): string[][] {
  const { coin, fees, balance } = money;
  const [shown, exact] = [coinAmount(sum, coin), `${sum} ${coin.base}`];
  const called = calls === 0 ? "" : `, ${counted(calls, "call")} of a contract`;
  return [
    ["payments", `${counted(payments, "payment")} to ${counted(receivers, "receiver")}${called}`],
    ...(largest ? [["largest", coinAmount(largest.value, coin), `row ${largest.row}, to ${largest.to}`]] : []),
    ["sum", shown, ...(shown === exact ? [] : [exact])],
    ["fees", fees === undefined ? "set by the service" : `about ${coinAmount(fees, coin)}`],
    ...(balance === undefined ? [] : [["balance", balanceText(sum + (fees ?? 0n), { ...money, balance })]]),
  ];
}

function balanceText(spent: bigint, { coin, fees, balance }: Money & { balance: bigint }): string {
  const now = coinAmount(balance, coin);
  if (spent > balance) return `${now}; not enough for the fees`;
  const left = coinAmount(balance - spent, coin);
  return fees === undefined ? `${now} → ${left}, less the fees` : `${now} → about ${left}`;
}
