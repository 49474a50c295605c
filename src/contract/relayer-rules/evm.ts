import { formatAmount, wireAmount } from "../amount.ts";
import { GAS_PRICE } from "../currency.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Relayer } from "../resources/relayer.ts";
import type { BrokenRule } from "./broken.ts";

const ZERO = `0x${"0".repeat(40)}`;

/** Returns the broken rules 2, 4, and 11 of facts 5.3, in the service's order. An unset policy forbids nothing. */
export function evmRelayerRules(body: JsonObject, relayer: Relayer): BrokenRule[] {
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  const broken: BrokenRule[] = [];
  if (!mayReceive(body, relayer, policies)) {
    const allowed = listedText(policies.whitelist_receivers);
    broken.push({ path: "to", rule: "Transaction target address is not whitelisted", allowed });
  }
  if (policies.gas_limit_estimation === false && (body.gas_limit ?? null) === null)
    broken.push({ path: "gas_limit", rule: "gas_limit is required when gas_limit_estimation policy is disabled" });
  const [price, cap] = [wireAmount(body.gas_price), wireAmount(policies.gas_price_cap)];
  if (price !== undefined && cap !== undefined && price > cap) {
    const allowed = `the relayer's cap is ${formatAmount(cap, GAS_PRICE)}`;
    broken.push({ path: "gas_price", rule: "Gas price is too high", allowed });
  }
  return broken;
}

/**
 * Returns whether the receiver is allowed: an address on the list, the relayer itself, or zero, ignoring case; with a
 * list, contracts cannot be created.
 */
function mayReceive({ to }: JsonObject, { address }: Relayer, { whitelist_receivers: listed }: JsonObject): boolean {
  if (!Array.isArray(listed)) return true;
  if (typeof to !== "string") return false;
  return [...listed, ZERO, address].some((one) => typeof one === "string" && one.toLowerCase() === to.toLowerCase());
}

/** The maximum number of addresses in the message. */
const MOST_NAMED = 3;

function listedText(listed: JsonValue | undefined): string {
  const all = Array.isArray(listed) ? listed.map(String) : [];
  const more = all.length - MOST_NAMED;
  const named = ["the relayer itself", "the zero address", ...all.slice(0, MOST_NAMED)];
  return `allowed: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
}
