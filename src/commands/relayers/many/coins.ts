import { coinOf, type NamedCoin, validateCoins } from "../../../coins/named-coins.ts";
import { symbolsFor } from "../../../coins/symbol-for.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Call } from "../../command.ts";

interface Coined {
  body: JsonObject;
  before: Relayer | undefined;
}

export type Symbols = ReadonlyMap<string, string | undefined>;

/** Returns the symbols of the targets' coins; empty if no amount of a coin is changed. */
export async function targetSymbols(call: Call, targets: readonly Coined[]): Promise<Symbols> {
  const amounts = targets.filter(({ body: { policies } }) => isJsonObject(policies) && "min_balance" in policies);
  const known = amounts.flatMap(({ before }) => before ?? []);
  return await symbolsFor(call, known);
}

const AMOUNT_CONDITION = /^\s*policies\.\S+?\s*(?:[<>]=?|!?=)(.+)$/;

/** Returns coins in conditions: `--where 'policies.min_balance>5eth'` does not apply to a relayer with another coin. */
export function conditionCoins(conditions: readonly string[]): NamedCoin[] {
  const words = conditions.flatMap((condition) => AMOUNT_CONDITION.exec(condition)?.[1]?.split(",") ?? []);
  return words.flatMap((word) => {
    const [text, coin] = [word.trim(), coinOf(word.trim())];
    return coin === undefined ? [] : [{ flag: "--where", text, coin }];
  });
}

/** Adds a problem for each combination of an amount and a relayer whose network has another coin. */
export async function validateTargetCoins(
  call: Call,
  problems: Problems,
  targets: readonly Coined[],
  coins: readonly NamedCoin[],
): Promise<void> {
  if (coins.length === 0) return;
  const known = targets.flatMap(({ before }) => before ?? []);
  if (known.length < targets.length) return validateCoins(problems, coins, undefined);
  const symbols = await symbolsFor(call, known);
  for (const { id, network, network_type: kind } of known) {
    const own = coins.map((coin) => ({ ...coin, flag: `${coin.flag} of ${id}` }));
    if (kind === "evm") validateCoins(problems, own, currencyOf("evm", symbols.get(network ?? "")));
  }
}
