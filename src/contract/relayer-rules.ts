import { isJsonObject, type JsonObject } from "./json.ts";
import type { NetworkKind } from "./network-kind.ts";
import type { BrokenRule } from "./relayer-rules/broken.ts";
import { evmRelayerRules } from "./relayer-rules/evm.ts";
import { solanaRelayerRules } from "./relayer-rules/solana.ts";
import type { SponsoredKind } from "./requests/sponsored.ts";
import type { Relayer } from "./resources/relayer.ts";

/** The request to a sponsor: a quote of the cost, or the built transaction. */
export type SponsoredVerb = "quote" | "build";

const NAMES: Record<SponsoredKind, string> = { solana: "Solana", stellar: "Stellar" };

/**
 * Returns in the service's words why a relayer does not quote or build a transaction whose fee is paid in a token
 * (facts 3.5), or undefined. Policies that the relayer does not show forbid nothing.
 * @param kind the kind of network of the body
 */
export function sponsorProblem(
  { network_type: own, policies }: Relayer,
  kind: SponsoredKind,
  verb: SponsoredVerb,
): string | undefined {
  if (own === "evm") return "Gas abstraction not supported for EVM relayers";
  if ((own === "solana" || own === "stellar") && own !== kind)
    return `${NAMES[kind]} request type does not match ${NAMES[own]} relayer type`;
  const strategy = isJsonObject(policies) ? (policies.fee_payment_strategy ?? "user") : "user";
  if (own !== "stellar" || verb === "quote" || strategy === "user") return undefined;
  return "Gas abstraction requires fee_payment_strategy: User";
}

/** The rules that depend on both the transaction and its relayer (facts 5.3, 5.8). */
export const relayerRules: Record<NetworkKind, (body: JsonObject, relayer: Relayer) => readonly BrokenRule[]> = {
  evm: evmRelayerRules,
  solana: solanaRelayerRules,
  stellar: () => [],
};
