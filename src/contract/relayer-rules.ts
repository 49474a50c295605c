import { priceText, wireAmount } from "./amount.ts";
import { groupDigits } from "./decimal.ts";
import { type JsonObject, type JsonValue, objectsIn } from "./json.ts";
import type { NetworkKind } from "./network-kind.ts";
import { relayerPolicies } from "./policy.ts";
import type { SponsoredKind } from "./requests/sponsored.ts";
import type { Relayer } from "./resources/relayer.ts";
import { solanaFeePayer } from "./transaction/solana-transaction.ts";

export interface BrokenRule {
  path: string;
  rule: string;
  /** The allowed values, if the words do not include them. */
  allowed?: string;
}

/** The rules that depend on both the transaction and its relayer (facts 5.3, 5.8). */
export const relayerRules: Record<NetworkKind, (body: JsonObject, relayer: Relayer) => readonly BrokenRule[]> = {
  evm: evmRelayerRules,
  solana: (body, relayer) => {
    const { address } = relayer;
    if (typeof address !== "string") return [];
    return [...strategyRule(body, relayer), ...feePayerRule(body, address), ...signerRules(body, address)];
  },
  stellar: () => [],
};

export type SponsoredVerb = "quote" | "build";

const NAMES: Record<SponsoredKind, string> = { solana: "Solana", stellar: "Stellar" };

/** Returns the service's words (facts 3.5). Policies that the relayer doesn't show forbid nothing. */
export function sponsorProblem(relayer: Relayer, kind: SponsoredKind, verb: SponsoredVerb): string | undefined {
  const { network_type: own } = relayer;
  if (own === "evm") return "Gas abstraction not supported for EVM relayers";
  if ((own === "solana" || own === "stellar") && own !== kind)
    return `${NAMES[kind]} request type does not match ${NAMES[own]} relayer type`;
  const strategy = relayerPolicies(relayer).fee_payment_strategy ?? "user";
  if (own !== "stellar" || verb === "quote" || strategy === "user") return undefined;
  return "Gas abstraction requires fee_payment_strategy: User";
}

const ZERO = `0x${"0".repeat(40)}`;

/** Returns the broken rules 2, 4, and 11 of facts 5.3, in the service's order. An unset policy forbids nothing. */
function evmRelayerRules(body: JsonObject, relayer: Relayer): BrokenRule[] {
  const policies = relayerPolicies(relayer);
  const broken: BrokenRule[] = [];
  if (!mayReceive(body, relayer, policies)) {
    const allowed = listedText(policies.whitelist_receivers);
    broken.push({ path: "to", rule: "Transaction target address is not whitelisted", allowed });
  }
  if (policies.gas_limit_estimation === false && (body.gas_limit ?? null) === null)
    broken.push({ path: "gas_limit", rule: "gas_limit is required when gas_limit_estimation policy is disabled" });
  const [price, cap] = [wireAmount(body.gas_price), wireAmount(policies.gas_price_cap)];
  if (price !== undefined && cap !== undefined && price > cap) {
    const allowed = `the relayer's cap is ${priceText(cap)}`;
    broken.push({ path: "gas_price", rule: "Gas price is too high", allowed });
  }
  return broken;
}

/** Returns whether the receiver is allowed: listed, the relayer itself, or zero. A list forbids creations. */
function mayReceive({ to }: JsonObject, { address }: Relayer, { whitelist_receivers: listed }: JsonObject): boolean {
  if (!Array.isArray(listed)) return true;
  if (typeof to !== "string") return false;
  return [...listed, ZERO, address].some((one) => typeof one === "string" && one.toLowerCase() === to.toLowerCase());
}

const MOST_NAMED = 3;

function listedText(listed: JsonValue | undefined): string {
  const all = Array.isArray(listed) ? listed.map(String) : [];
  const more = all.length - MOST_NAMED;
  const named = ["the relayer itself", "the zero address", ...all.slice(0, MOST_NAMED)];
  return `allowed: ${[...named, ...(more > 0 ? [`${groupDigits(more)} more`] : [])].join(", ")}`;
}

function strategyRule({ instructions }: JsonObject, relayer: Relayer): BrokenRule[] {
  // An unset strategy acts as `user` (facts 4.3).
  const strategy = relayerPolicies(relayer).fee_payment_strategy ?? "user";
  if (!Array.isArray(instructions) || strategy !== "user") return [];
  return [{ path: "instructions", rule: "a relayer with fee_payment_strategy user requires a built transaction" }];
}

function feePayerRule({ transaction }: JsonObject, address: string): BrokenRule[] {
  const payer = typeof transaction === "string" ? solanaFeePayer(transaction) : undefined;
  if (payer === undefined || payer === address) return [];
  return [{ path: "transaction", rule: `Transaction fee payer ${payer} does not match relayer address ${address}` }];
}

function signerRules({ instructions }: JsonObject, address: string): BrokenRule[] {
  return objectsIn(instructions).flatMap(({ accounts }, index) =>
    objectsIn(accounts).flatMap(({ pubkey, is_signer: signs }, at) => {
      if (signs !== true || pubkey === address) return [];
      const rule = `Only the relayer address ${address} can be marked as a signer, but '${pubkey}' is marked as a signer. The relayer can only provide its own signature.`;
      return [{ path: `instructions.${index}.accounts.${at}`, rule }];
    }),
  );
}
