import type { CoinAmounts } from "../../config/config.ts";
import { addressProblem } from "../../contract/address.ts";
import { AmountError } from "../../contract/amount.ts";
import type { Problem } from "../../errors.ts";
import { type LimitAmount, parseLimit } from "../coins/limit-amounts.ts";
import type { LimitChange } from "./limit-change.ts";

/** The flags of `context set` for limits, with commander's names; false removes a limit. */
export interface LimitFlags {
  maxValue?: string[] | false;
  maxPerDay?: string[] | false;
  allowTo?: string[] | false;
}

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
