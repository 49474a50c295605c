import type { App } from "../../app.ts";
import type { CoinAmounts } from "../../config/config.ts";
import { labelsOf, unknownLabel } from "../../config/labels.ts";
import { AmountError } from "../../contract/amount.ts";
import type { Problem } from "../../errors.ts";
import { type LimitAmount, parseLimit } from "../coins/limit-amounts.ts";
import type { Call } from "../command.ts";
import type { LimitChange } from "./limit-change.ts";

/** The flags of `context set` for limits, with commander's names; false removes a limit. */
export interface LimitFlags {
  maxValue?: string[] | false;
  maxPerDay?: string[] | false;
  allowTo?: string[] | false;
}

/** Reads the flags for limits; undefined if there are none. */
export async function limitChange(
  { app, flags: { maxValue, maxPerDay, allowTo } }: Pick<Call<LimitFlags>, "app" | "flags">,
  problems: Problem[],
): Promise<LimitChange | undefined> {
  const value = amountsOf("--max-value", maxValue, problems);
  const perDay = amountsOf("--max-per-day", maxPerDay, problems);
  const to = await addressesOf(allowTo, app, problems);
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

async function addressesOf(
  texts: string[] | false | undefined,
  app: Pick<App, "config">,
  problems: Problem[],
): Promise<string[] | null | undefined> {
  if (!texts) return texts === false ? null : undefined;
  const { addressKind } = await import("../../contract/address-kind.ts");
  const typed = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  const labels = typed.some((text) => text.startsWith("@")) ? labelsOf(await app.config.read()) : [];
  const addresses = typed.flatMap((given) => {
    if (given.startsWith("@")) {
      const found = labels.filter(({ name }) => `@${name}` === given).map(({ address }) => address);
      if (found.length === 0) problems.push({ where: "--allow-to", given, rule: unknownLabel(given, labels) });
      return found;
    }
    const found = addressKind(given);
    if ("problem" in found) problems.push({ where: "--allow-to", given: given || "(empty)", rule: found.problem });
    return given;
  });
  return [...new Set(addresses)];
}
