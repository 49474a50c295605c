import type { NetworkKind } from "../network-kind.ts";
import type { CatalogEntry, SentPayload } from "./catalog.ts";
import type { SwapResult, WebhookEvent, WebhookPayloads } from "./event.ts";
import {
  DISABLED_REASONS,
  EXAMPLE_RELAYERS,
  EXAMPLE_TRANSACTIONS,
  SERIALIZED,
  SOLANA_SIGNATURE,
} from "./example-resources.ts";

/** What differs between two deliveries of the same example. */
interface Identity {
  id: string;
  timestamp: string;
}

/** The ID and the time of every example, unless others are given. */
const FIXED: Identity = {
  id: "0b6f7a0e-8f0a-4a39-9c8c-0f2f6c1d9b11",
  timestamp: "2026-08-20T10:00:37.260000000+00:00",
};

/** Returns an example of an event about a relayer of one kind, in the service's own order of members (facts 7.3). */
export function exampleEvent(
  { event, payloadType }: CatalogEntry,
  kind: NetworkKind,
  { id, timestamp }: Identity = FIXED,
): WebhookEvent {
  const members = payloadOf(event, payloadType, kind);
  return { id, event, payload: { payload_type: payloadType, ...members }, timestamp };
}

function payloadOf(event: string, type: SentPayload, kind: NetworkKind): WebhookPayloads[SentPayload] {
  const relayer = EXAMPLE_RELAYERS[kind];
  const reason = DISABLED_REASONS[kind];
  switch (type) {
    case "transaction":
      return EXAMPLE_TRANSACTIONS[kind];
    case "relayer_disabled":
      return {
        relayer: { ...relayer, system_disabled: true, disabled_reason: reason },
        disable_reason: reason.details,
      };
    case "relayer_enabled":
      return { relayer, retry_count: 3 };
    case "solana_rpc":
      return event === "transfer_transaction" ? PREPARED : { transaction: SERIALIZED, signature: SOLANA_SIGNATURE };
    case "solana_dex":
      return { swap_results: [SOLANA_SWAP] };
    case "stellar_dex":
      return { swap_results: [STELLAR_SWAP] };
  }
}

/** The result of `transferTransaction`. */
const PREPARED = {
  transaction: SERIALIZED,
  fee_in_spl: "812",
  fee_in_lamports: "5000",
  fee_token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  valid_until_blockheight: 287_654_321,
};

const SOLANA_SWAP: SwapResult = {
  mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  source_amount: 1_000_000,
  destination_amount: 6_500_000,
  transaction_signature: SOLANA_SIGNATURE,
  error: null,
};

const STELLAR_SWAP: SwapResult = {
  mint: "USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN",
  source_amount: 50_000_000,
  destination_amount: 134_500_000,
  transaction_signature: EXAMPLE_TRANSACTIONS.stellar.id,
  error: null,
};
