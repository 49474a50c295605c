import type { CoinAmounts } from "../config/config.ts";
import { AmountError, formatAmount, readAmount } from "../contract/amount.ts";
import { type Currency, LAMPORTS, STROOPS, WEI } from "../contract/currency.ts";

/** An amount of one coin, or of any EVM coin. */
export interface LimitAmount {
  /** In lower case: `eth`, `sol`, `xlm`, or `wei`. */
  coin: string;
  amount: bigint;
}

const NEEDS_UNIT = "needs the unit of its coin, e.g. 1eth, 500gwei for any EVM coin, 0.5sol, or 100xlm";

/** Parses an amount whose unit says which coin it limits. @throws AmountError */
export function parseLimit(text: string): LimitAmount {
  const unit = /[a-z]+[0-9a-z]*$/i.exec(text)?.[0].toLowerCase();
  if (unit === undefined || /^0x/i.test(text)) throw new AmountError(NEEDS_UNIT);
  if (["sol", "lamport", "lamports"].includes(unit)) return { coin: "sol", ...readAmount(text, LAMPORTS) };
  if (["xlm", "stroop", "stroops"].includes(unit)) return { coin: "xlm", ...readAmount(text, STROOPS) };
  const { amount, coin = "wei" } = readAmount(text, WEI);
  const lower = coin.toLowerCase();
  return { coin: lower === "ether" ? "eth" : lower, amount };
}

function limitCurrency(coin: string): Currency {
  if (coin === "sol") return LAMPORTS;
  if (coin === "xlm") return STROOPS;
  return coin === "wei" ? WEI : { ...WEI, symbol: coin.toUpperCase() };
}

export function limitText({ coin, amount }: LimitAmount): string {
  return formatAmount(amount, limitCurrency(coin));
}

export function limitAmounts(amounts: CoinAmounts = {}): LimitAmount[] {
  return Object.entries(amounts).map(([coin, digits]) => ({ coin, amount: BigInt(digits) }));
}
