import { coinFor } from "../../../coins/coin-symbol.ts";
import { type NamedCoin, namedCoin, validateCoins } from "../../../coins/named-coins.ts";
import { policyFieldAt, policyFieldCurrency, policyFields } from "../../../contract/policy.ts";
import type { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Call } from "../../command.ts";
import type { TypedPolicies } from "./typed-policies.ts";
import type { TypedUpdate } from "./update-flags.ts";

export function policyCoinsIn(typed: Pick<TypedPolicies, "set"> | null | undefined): NamedCoin[] {
  return (typed?.set ?? []).flatMap(({ key, value }) => {
    const field = policyFieldAt(policyFields.evm, key);
    const coin = field?.type === "amount" ? namedCoin(value, policyFieldCurrency(field)) : undefined;
    return coin === undefined ? [] : [{ flag: `--policy ${key}`, text: value, coin }];
  });
}

/** Returns whether a gas price cap is set, which must be compared with the current one. */
export function setsPolicyCap({ set, fields }: Pick<TypedPolicies, "set" | "fields">): boolean {
  return set.some(({ key }) => key === "gas_price_cap") || (fields.gas_price_cap ?? null) !== null;
}

/** Adds a problem for each amount in a different coin than the network's. @param relayer undefined if not read */
export async function validatePolicyCoins(
  call: Call,
  problems: Problems,
  { policies }: Pick<TypedUpdate, "policies">,
  relayer: Relayer | undefined,
): Promise<void> {
  const coins = policyCoinsIn(policies);
  if (coins.length === 0) return;
  if (relayer && relayer.network_type !== "evm") return;
  validateCoins(problems, coins, relayer && (await coinFor(await call.session(), relayer)));
}
