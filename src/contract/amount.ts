import { wireAmount } from "./amount/read.ts";
import { type BaseUnit, COIN_DECIMALS, type Currency, GAS_PRICE, SHOWN_IN_WEI } from "./currency.ts";
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

/** The size from which an amount is shown in the coin itself. */
const SHOWN_FROM: Readonly<Record<BaseUnit, bigint>> = { wei: SHOWN_IN_WEI, lamport: 10n ** 5n, stroop: 10n ** 4n };

/**
 * Formats an amount for display: `0.5 POL`, `12 wei`, and a price per gas as `80 gwei`. Exact: in the coin, or in the
 * smallest unit if the amount is tiny or the coin is unknown. Only prices per gas are shown in gwei.
 */
export function formatAmount(amount: bigint, { base, symbol, perGas }: Currency): string {
  if (perGas) return `${withPoint(amount, 9)} gwei`;
  const size = amount < 0n ? -amount : amount;
  return symbol !== undefined && size >= SHOWN_FROM[base]
    ? `${withPoint(amount, COIN_DECIMALS[base])} ${symbol}`
    : `${amount} ${base}`;
}

/** Formats a price per gas: `80 gwei`. */
export function priceText(price: bigint): string {
  return formatAmount(price, GAS_PRICE);
}

/** Formats a value, a fee, or a balance: as an amount, but in the coin itself, however small: `0.00063 POL`. */
export function coinAmount(amount: bigint, currency: Currency): string {
  const { base, symbol, perGas } = currency;
  return symbol === undefined || perGas
    ? formatAmount(amount, currency)
    : `${withPoint(amount, COIN_DECIMALS[base])} ${symbol}`;
}

export function isShownInCoin(value: JsonValue | undefined): boolean {
  return (wireAmount(value) ?? 0n) >= SHOWN_IN_WEI;
}

/** Returns the amount as typed, without a space: `80gwei`. */
export function typedAmount(amount: bigint, currency: Currency): string {
  if (currency.perGas && amount < 10n ** 6n) return `${amount}wei`;
  return formatAmount(amount, currency).replace(" ", "").toLowerCase();
}

/** Returns a price per gas to type, `84.2gwei`: above 1 gwei with one decimal, rounded up, but at most at the limit. */
export function suggestedPrice(price: bigint, limit?: bigint): string {
  const step = price > 10n ** 9n ? 10n ** 8n : 1n;
  const rounded = ((price + step - 1n) / step) * step;
  const isAbove = limit !== undefined && rounded > limit;
  return typedAmount(isAbove ? limit : rounded, { base: "wei", symbol: undefined, perGas: true });
}

/** Returns an amount as typed next to the smallest unit, `0.01eth = 10000000000000000 wei`, if that is shorter. */
export function convertedAmount(amount: bigint, currency: Currency): string | undefined {
  const typed = typedAmount(amount, currency);
  return typed.length < String(amount).length ? `${typed} = ${amount} ${currency.base}` : undefined;
}

/** Returns a number of smallest units with this many decimals, without trailing zeros. */
export function withPoint(amount: bigint, zeros: number): string {
  if (zeros === 0) return String(amount);
  const sign = amount < 0n ? "-" : "";
  const digits = String(amount < 0n ? -amount : amount).padStart(zeros + 1, "0");
  const decimals = digits.slice(-zeros).replace(/0+$/, "");
  return sign + digits.slice(0, -zeros) + (decimals && `.${decimals}`);
}
