import type { CoinAmounts, Context, Limits } from "../../config/config.ts";
import { addressProblem } from "../../contract/address.ts";
import { AmountError } from "../../contract/amount.ts";
import type { Problem } from "../../errors.ts";
import { type LimitAmount, limitAmounts, limitText, parseLimit } from "../coins/limit-amounts.ts";

/** The flags of `context set` for limits, with commander's names; false removes a limit. */
export interface LimitFlags {
  maxValue?: string[] | false;
  maxPerDay?: string[] | false;
  allowTo?: string[] | false;
}

/** Limits to set; null removes one. Amounts of other coins are kept. */
export type LimitChange = { [K in keyof Limits]?: NonNullable<Limits[K]> | null };

/** Reads the flags for limits; undefined if there are none. */
export function limitChange(
  { maxValue, maxPerDay, allowTo }: LimitFlags,
  problems: Problem[],
): LimitChange | undefined {
  const value = amountsOf("--max-value", maxValue, problems);
  const perDay = amountsOf("--max-per-day", maxPerDay, problems);
  const to = addressesOf(allowTo, problems);
  const change: LimitChange = {
    ...(value !== undefined && { max_value: value }),
    ...(perDay !== undefined && { max_per_day: perDay }),
    ...(to !== undefined && { allow_to: to }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function amountsOf(
  where: string,
  texts: string[] | false | undefined,
  problems: Problem[],
): CoinAmounts | null | undefined {
  if (!texts) return texts === false ? null : undefined;
  const amounts = new Map<string, string>();
  for (const given of texts.flatMap((text) => text.split(","))) {
    const read = amountOf(where, given, problems);
    if (read && amounts.has(read.coin)) problems.push({ where, given, rule: `${read.coin} is specified twice` });
    if (read) amounts.set(read.coin, String(read.amount));
  }
  return Object.fromEntries(amounts);
}

function amountOf(where: string, given: string, problems: Problem[]): LimitAmount | undefined {
  try {
    return parseLimit(given.trim());
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.push({ where, given, rule: error.message });
    return undefined;
  }
}

/** Addresses of Solana and of Stellar. */
const OTHER_ADDRESS = /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[GMC][A-Z2-7]{55,68})$/;

function addressesOf(texts: string[] | false | undefined, problems: Problem[]): string[] | null | undefined {
  if (!texts) return texts === false ? null : undefined;
  const addresses = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  for (const given of addresses) {
    const rule = OTHER_ADDRESS.test(given) ? undefined : addressProblem(given);
    if (rule) problems.push({ where: "--allow-to", given: given || "(empty)", rule });
  }
  return [...new Set(addresses)];
}

/** Returns the limits with a change applied, without those that do not exist. */
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

/** Returns what a change of a context allows that was not allowed before, in a few words each. */
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
