import type { CoinAmounts, Context, Limits } from "../config/config.ts";
import { limitAmounts, limitText } from "./limit-amounts.ts";

/** Limits to set; null removes one. Amounts of other coins are kept. */
export type LimitChange = { [K in keyof Limits]?: NonNullable<Limits[K]> | null };

export function changedLimits(before: Limits, change: LimitChange = {}): Limits {
  const value = merged(before.max_value, change.max_value);
  const perDay = merged(before.max_per_day, change.max_per_day);
  const to = change.allow_to === undefined ? before.allow_to : change.allow_to;
  return { ...(value && { max_value: value }), ...(perDay && { max_per_day: perDay }), ...(to && { allow_to: to }) };
}

function merged(before: CoinAmounts | undefined, change: CoinAmounts | null | undefined): CoinAmounts | undefined {
  if (change === undefined) return before;
  return change === null ? undefined : { ...before, ...change };
}

export function looserLimits(before: Context, after: Context): string[] {
  return [
    ...raised("max value", before.max_value, after.max_value),
    ...raised("max per day", before.max_per_day, after.max_per_day),
    ...moreReceivers(before.allow_to, after.allow_to),
  ];
}

function raised(label: string, before: CoinAmounts | undefined, after: CoinAmounts = {}): string[] {
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
  const known = new Set(before.map((address) => address.toLowerCase()));
  const added = after.filter((address) => !known.has(address.toLowerCase()));
  return added.length === 0 ? [] : [`receivers ${added.join(", ")}`];
}
