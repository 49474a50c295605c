import { wireAmount } from "./amount/read.ts";
import { type BaseUnit, COIN_DECIMALS, type Currency, GAS_PRICE } from "./currency.ts";
import type { JsonValue } from "./json.ts";

export {
  AmountError,
  type Bare,
  coinProblem,
  parseAmount,
  readAmount,
  type TypedAmount,
  wireAmount,
} from "./amount/read.ts";

/** The size from which an amount is typed in the coin itself. */
const TYPED_FROM: Readonly<Record<BaseUnit, bigint>> = { wei: 10n ** 9n, lamport: 10n ** 5n, stroop: 10n ** 4n };

/**
 * Formats an amount exactly: in the coin (`0.00063 POL`), or in the smallest unit if the coin is unknown. Prices are in
 * gwei.
 */
export function formatAmount(amount: bigint, { base, symbol, perGas }: Currency): string {
  if (perGas) return `${withPoint(amount, 9)} gwei`;
  if (symbol === undefined) return amount === 0n ? "0" : `${amount} ${base}`;
  return `${withPoint(amount, COIN_DECIMALS[base])} ${symbol}`;
}

/** Formats a price per gas: `80 gwei`. */
export function priceText(price: bigint): string {
  return formatAmount(price, GAS_PRICE);
}

export function isPositive(value: JsonValue | undefined): boolean {
  return (wireAmount(value) ?? 0n) > 0n;
}

/** Returns the amount as typed, without a space: `80gwei`. */
export function typedAmount(amount: bigint, currency: Currency): string {
  const least = currency.perGas ? 10n ** 6n : TYPED_FROM[currency.base];
  if (amount < least) return `${amount}${currency.base}`;
  return formatAmount(amount, currency).replace(" ", "").toLowerCase();
}

/** Returns a price per gas to type, `84.2gwei`: above 1 gwei with one decimal, rounded up, but at most the limit. */
export function suggestedPrice(price: bigint, limit?: bigint): string {
  const step = price > 10n ** 9n ? 10n ** 8n : 1n;
  const rounded = ((price + step - 1n) / step) * step;
  const isAbove = limit !== undefined && rounded > limit;
  return typedAmount(isAbove ? limit : rounded, { base: "wei", symbol: undefined, perGas: true });
}

/** Returns an amount as typed next to the smallest unit, `0.01eth = 10000000000000000 wei`, if shorter. */
export function convertedAmount(amount: bigint, currency: Currency): string | undefined {
  const typed = typedAmount(amount, currency);
  return typed.length < String(amount).length ? `${typed} = ${amount} ${currency.base}` : undefined;
}

export function withPoint(amount: bigint, zeros: number): string {
  if (zeros === 0) return String(amount);
  const sign = amount < 0n ? "-" : "";
  const digits = String(amount < 0n ? -amount : amount).padStart(zeros + 1, "0");
  const decimals = digits.slice(-zeros).replace(/0+$/, "");
  return sign + digits.slice(0, -zeros) + (decimals && `.${decimals}`);
}
