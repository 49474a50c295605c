import type { Problems } from "../../command-support/problems.ts";
import { AmountError, coinProblem, readAmount } from "../../contract/amount.ts";
import { type Currency, WEI } from "../../contract/currency.ts";
import { isKnownSymbol } from "../../contract/known-coins.ts";

/** A coin that was typed as the unit of an EVM amount: `--value 1pol`. */
export interface NamedCoin {
  flag: string;
  /** The amount as it was typed. */
  text: string;
  coin: string;
}

/** The coin that a text has as its unit; undefined where it has none or is not an amount, which is a matter for others. */
export function coinOf(text: string, currency: Currency = WEI): string | undefined {
  try {
    return readAmount(text, currency).coin;
  } catch (error) {
    if (error instanceof AmountError) return undefined;
    throw error;
  }
}

/**
 * Why an amount names another coin than the relayer's network has. Where that coin is not known, any well-known one will
 * do: every EVM coin has 18 decimals.
 */
export function coinRule({ text, coin }: Pick<NamedCoin, "text" | "coin">, currency: Currency = WEI) {
  return currency.symbol === undefined && isWellKnown(coin) ? undefined : coinProblem(text, coin, currency);
}

/** Whether a coin can be told from a mistyped unit without asking the service. */
export function isWellKnown(coin: string): boolean {
  return coin.toLowerCase() === "ether" || isKnownSymbol(coin);
}

/** Adds a problem for each such amount. @param currency of the relayer's network; undefined where it is not looked up */
export function validateCoins(problems: Problems, named: readonly NamedCoin[], currency: Currency | undefined): void {
  for (const one of named) {
    const rule = coinRule(one, currency);
    if (rule !== undefined && !problems.has(one.flag)) problems.add(one.flag, rule, one.text);
  }
}
