import type { JsonObject } from "./json.ts";
import type { NetworkKind } from "./network-kind.ts";
import type { BrokenRule } from "./relayer-rules/broken.ts";
import { evmRelayerRules } from "./relayer-rules/evm.ts";
import { solanaRelayerRules } from "./relayer-rules/solana.ts";
import type { Relayer } from "./resources/relayer.ts";

export { type SponsoredVerb, sponsorProblem } from "./relayer-rules/sponsored.ts";

/** The rules that depend on both the transaction and its relayer (facts 5.3, 5.8). */
export const relayerRules: Record<NetworkKind, (body: JsonObject, relayer: Relayer) => readonly BrokenRule[]> = {
  evm: evmRelayerRules,
  solana: solanaRelayerRules,
  stellar: () => [],
};
