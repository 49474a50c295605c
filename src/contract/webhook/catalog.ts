import { NETWORK_KINDS, type NetworkKind } from "../network-kind.ts";
import type { PayloadType } from "./event.ts";

/** The types of payload that the service really sends. */
export type SentPayload = Exclude<PayloadType, "transaction_failure">;

export interface CatalogEntry {
  event: string;
  payloadType: SentPayload;
  /** The kinds of network whose relayers send it. */
  kinds: readonly NetworkKind[];
  sent: string;
  since: string;
}

const ALL = NETWORK_KINDS;
const SOLANA: CatalogEntry["kinds"] = ["solana"];

function entry(event: string, payloadType: SentPayload, kinds: CatalogEntry["kinds"], sent: string, since = "1.0") {
  return { event, payloadType, kinds, sent, since };
}

/** The event that relayers of every kind send most. */
export const TRANSACTION_UPDATE = entry(
  "transaction_update",
  "transaction",
  ALL,
  "A transaction has a new status, or was replaced or canceled",
);

/** Every event that the service sends (facts 7.2). */
export const WEBHOOK_EVENTS: readonly CatalogEntry[] = [
  TRANSACTION_UPDATE,
  entry("relayer_state_update", "relayer_disabled", ALL, "The service disabled a relayer"),
  entry("relayer_state_update", "relayer_enabled", ALL, "The service enabled a relayer again", "1.2"),
  entry("transfer_transaction", "solana_rpc", SOLANA, "The RPC method transferTransaction prepared a transfer"),
  entry("sign_transaction", "solana_rpc", SOLANA, "The RPC method signTransaction signed a transaction"),
  entry("sign_and_send_transaction", "solana_rpc", SOLANA, "The RPC method signAndSendTransaction sent a transaction"),
  entry("solana_dex", "solana_dex", SOLANA, "A relayer swapped tokens for SOL"),
  entry("stellar_dex_queued", "stellar_dex", ["stellar"], "A relayer queued swaps of tokens for XLM", "1.3"),
];

/** The words for an event: its name, and if it has several payload types, each of them too. */
export const EVENT_WORDS: readonly string[] = [
  ...new Set(WEBHOOK_EVENTS.map(({ event }) => event)),
  "relayer_disabled",
  "relayer_enabled",
];

/** Returns the event for a word; a name without a payload type stands for its first payload type. */
export function webhookCatalogEvent(word: string): CatalogEntry | undefined {
  return WEBHOOK_EVENTS.find(({ event, payloadType }) => event === word || payloadType === word);
}
