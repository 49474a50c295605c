import type { CoinAmounts, Context, Limits } from "../config/config.ts";
import { AmountError, type Currency, formatAmount, LAMPORTS, readAmount, STROOPS, WEI } from "../contract/amount.ts";

export interface LimitAmount {
  /** In lower case: `eth`, `sol`, `xlm`, or `wei`. */
  coin: string;
  amount: bigint;
}

const NEEDS_UNIT = "needs the unit of its coin, e.g. 1eth, 500gwei for any EVM coin, 0.5sol, or 100xlm";

/** Parses an amount with the unit of the coin that it limits. @throws AmountError */
export function parseLimitAmount(text: string): LimitAmount {
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

/** Null removes a limit. Amounts of other coins are kept. */
export type LimitChange = { [K in keyof Limits]?: NonNullable<Limits[K]> | null };

export function changedLimitAmounts(before: Limits, change: LimitChange = {}): Limits {
  const value = mergeCoins(before.max_value, change.max_value);
  const perDay = mergeCoins(before.max_per_day, change.max_per_day);
  const to = change.allow_to === undefined ? before.allow_to : change.allow_to;
  return { ...(value && { max_value: value }), ...(perDay && { max_per_day: perDay }), ...(to && { allow_to: to }) };
}

function mergeCoins(before: CoinAmounts | undefined, change: CoinAmounts | null | undefined): CoinAmounts | undefined {
  if (change === undefined) return before;
  return change === null ? undefined : { ...before, ...change };
}

export function looserLimitAmounts(before: Context, after: Context): string[] {
  return [
    ...raisedLines("max value", before.max_value, after.max_value),
    ...raisedLines("max per day", before.max_per_day, after.max_per_day),
    ...moreReceivers(before.allow_to, after.allow_to),
  ];
}

function raisedLines(label: string, before: CoinAmounts | undefined, after: CoinAmounts = {}): string[] {
  return limitAmounts(before).flatMap(({ coin, amount }) => {
    const then = after[coin] === undefined ? undefined : BigInt(after[coin]);
    if (then !== undefined && then <= amount) return [];
    const now = then === undefined ? "no limit" : limitText({ coin, amount: then });
    return [`${label} ${limitText({ coin, amount })} → ${now}`];
  });
}

function moreReceivers(before: readonly string[] | undefined, after: readonly string[] | undefined): string[] {
  if (!before) return [];
  if (!after) return ["any receiver"];
  const added = notAllowed(after, before);
  return added.length === 0 ? [] : [`receivers ${added.join(", ")}`];
}

/** Returns the addresses that are not on the list. The case of hex only has its checksum. */
export function notAllowed(addresses: readonly string[], allowed: readonly string[]): string[] {
  const spelled = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address);
  const known = new Set(allowed.map(spelled));
  return addresses.filter((address) => !known.has(spelled(address)));
}
