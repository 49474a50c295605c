import {
  amountOr,
  type Currency,
  coinProblem,
  isKnownSymbol,
  readAmount,
  type TypedAmount,
  WEI,
} from "../contract/amount.ts";
import type { Problems } from "../contract/problems.ts";

export function namedCoinAmount(
  problems: Problems,
  flag: string,
  text: string | undefined,
  currency: Currency,
): TypedAmount | undefined {
  if (text === undefined) return undefined;
  return amountOr(
    () => readAmount(text, currency, "line"),
    (rule) => void problems.add(flag, rule, text),
  );
}

/** A coin typed as the unit of an EVM amount: `--value 1pol`. */
export interface NamedCoin {
  flag: string;
  text: string;
  coin: string;
}

/** Returns the coin used as a text's unit; undefined without one, or if others will reject the amount. */
export function namedCoin(text: string, currency: Currency = WEI): string | undefined {
  return amountOr(() => readAmount(text, currency))?.coin;
}

/** Returns why an amount has a different coin than the network. An unknown network accepts any known coin. */
export function namedCoinRule({ text, coin }: Pick<NamedCoin, "text" | "coin">, currency: Currency = WEI) {
  return currency.symbol === undefined && isWellKnownCoin(coin) ? undefined : coinProblem(text, coin, currency);
}

export function isWellKnownCoin(coin: string): boolean {
  return coin.toLowerCase() === "ether" || isKnownSymbol(coin);
}

/** Adds a problem for each such amount. @param currency of the network; undefined if not looked up */
export function validateCoins(problems: Problems, named: readonly NamedCoin[], currency: Currency | undefined): void {
  for (const one of named) {
    const rule = namedCoinRule(one, currency);
    if (rule !== undefined && !problems.has(one.flag)) problems.add(one.flag, rule, one.text);
  }
}
