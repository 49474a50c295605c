import { wireAmount } from "../amount.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Relayer } from "../relayer.ts";
import type { BrokenRule } from "./broken.ts";

const ZERO = `0x${"0".repeat(40)}`;

/** service-facts 5.3, rules 2, 4 and 11, in the service's order. A policy that is unset forbids nothing. */
export function evmRelayerRules(body: JsonObject, relayer: Relayer): BrokenRule[] {
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  const broken: BrokenRule[] = [];
  if (!mayReceive(body, relayer, policies))
    broken.push({ path: "to", rule: "Transaction target address is not whitelisted" });
  if (policies.gas_limit_estimation === false && (body.gas_limit ?? null) === null)
    broken.push({ path: "gas_limit", rule: "gas_limit is required when gas_limit_estimation policy is disabled" });
  if (isAbove(body.gas_price, policies.gas_price_cap))
    broken.push({ path: "gas_price", rule: "Gas price is too high" });
  return broken;
}

/** Those on the list, the relayer itself and zero, without case; where there is a list, a contract cannot be created. */
function mayReceive({ to }: JsonObject, { address }: Relayer, { whitelist_receivers: listed }: JsonObject): boolean {
  if (!Array.isArray(listed)) return true;
  if (typeof to !== "string") return false;
  return [...listed, ZERO, address].some((one) => typeof one === "string" && one.toLowerCase() === to.toLowerCase());
}

function isAbove(price: JsonObject[string] | undefined, cap: JsonObject[string] | undefined): boolean {
  const [asked, most] = [wireAmount(price), wireAmount(cap)];
  return asked !== undefined && most !== undefined && asked > most;
}
