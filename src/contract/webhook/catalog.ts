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

const SOLANA: readonly NetworkKind[] = ["solana"];

/** The event that relayers of every kind send most. */
export const TRANSACTION_UPDATE: CatalogEntry = {
  event: "transaction_update",
  payloadType: "transaction",
  kinds: NETWORK_KINDS,
  sent: "A transaction has a new status, or was replaced or canceled",
  since: "1.0",
};

/** Every event that the service sends (facts 7.2). */
export const WEBHOOK_EVENTS: readonly CatalogEntry[] = [
  TRANSACTION_UPDATE,
  {
    event: "relayer_state_update",
    payloadType: "relayer_disabled",
    kinds: NETWORK_KINDS,
    sent: "The service disabled a relayer",
    since: "1.0",
  },
  {
    event: "relayer_state_update",
    payloadType: "relayer_enabled",
    kinds: NETWORK_KINDS,
    sent: "The service enabled a relayer again",
    since: "1.2",
  },
  {
    event: "transfer_transaction",
    payloadType: "solana_rpc",
    kinds: SOLANA,
    sent: "The RPC method transferTransaction prepared a transfer",
    since: "1.0",
  },
  {
    event: "sign_transaction",
    payloadType: "solana_rpc",
    kinds: SOLANA,
    sent: "The RPC method signTransaction signed a transaction",
    since: "1.0",
  },
  {
    event: "sign_and_send_transaction",
    payloadType: "solana_rpc",
    kinds: SOLANA,
    sent: "The RPC method signAndSendTransaction sent a transaction",
    since: "1.0",
  },
  {
    event: "solana_dex",
    payloadType: "solana_dex",
    kinds: SOLANA,
    sent: "A relayer swapped tokens for SOL",
    since: "1.0",
  },
  {
    event: "stellar_dex_queued",
    payloadType: "stellar_dex",
    kinds: ["stellar"],
    sent: "A relayer queued swaps of tokens for XLM",
    since: "1.3",
  },
];

/** The words for an event: its name, and if it has several payload types, each of them too. */
export const EVENT_WORDS: readonly string[] = [
  ...new Set(WEBHOOK_EVENTS.map(({ event }) => event)),
  "relayer_disabled",
  "relayer_enabled",
];

/** Returns the event for a word; a name without a payload type stands for its first payload type. */
export function eventFor(word: string): CatalogEntry | undefined {
  return WEBHOOK_EVENTS.find(({ event, payloadType }) => event === word || payloadType === word);
}
