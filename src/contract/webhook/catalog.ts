import { NETWORK_KINDS, type NetworkKind } from "../network-kind.ts";
import type { Relayer } from "../resources/relayer.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { PayloadType, SwapResult, WebhookEvent, WebhookPayloads } from "./event.ts";

/** The types of payload that the service really sends. */
type SentPayload = Exclude<PayloadType, "transaction_failure">;

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

const EVM_ADDRESS = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const SOLANA_ADDRESS = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const STELLAR_ADDRESS = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";

/** A serialized transaction with one signature and one account. */
const SERIALIZED =
  "AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcBAAABBUpTWpkpIQZNJOhxYNo4fHw1td28kruB5B+oQEEFRI0JCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQA=";
/** The signature of that transaction, in base58. */
const SOLANA_SIGNATURE = "99eUso3aSbE9tqGSTXzo3TLfKb9RkMTURrHKQ1K7Zh3BbeqPevr5E1iCbpTjqHuTFLtfxTTD5ekfVuZFzQyEQf8";

const TIMES = {
  created_at: "2026-08-20T10:00:00.123456789+00:00",
  sent_at: "2026-08-20T10:00:01.500000000+00:00",
  confirmed_at: "2026-08-20T10:00:37.250000000+00:00",
};

const R = "2696215e9157e48ae90f6bba376447a43d80aae562484120ec4e74a195048305";
const S = "57e3d126db89c2ad0533605382c308eb17830c7f52db4ee7248cc11e954a60d6";

/** A confirmed transaction of each kind, with the members and in the order of the real service (facts 5.2). */
const EXAMPLE_TRANSACTIONS: Readonly<Record<NetworkKind, Transaction>> = {
  evm: {
    id: "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    hash: "0x9dbd37c4d92952f896ae7dc3cc5501c337608745b5ac012b412e4b2906df3d62",
    status: "confirmed",
    status_reason: null,
    ...TIMES,
    gas_price: null,
    gas_limit: 21_000,
    nonce: 7,
    value: "0x2c68af0bb140000",
    from: EVM_ADDRESS,
    to: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    relayer_id: "eth-main-1",
    data: null,
    max_fee_per_gas: "12500000000",
    max_priority_fee_per_gas: "1000000000",
    signature: { r: R, s: S, v: 1, sig: `${R}${S}01` },
    speed: "fast",
    is_canceled: false,
  },
  solana: {
    id: "9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3",
    signature: SOLANA_SIGNATURE,
    status: "confirmed",
    ...TIMES,
    transaction: SERIALIZED,
  },
  stellar: {
    id: "4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5",
    hash: "c6f5c3f7d1a34a0d9f6a0f1d27f0a8d0c2f6b7c1d4a58e90b3c7d2e1f0a9b8c7",
    status: "confirmed",
    status_reason: null,
    ...TIMES,
    source_account: STELLAR_ADDRESS,
    fee: 100,
    sequence_number: "4294967301",
    relayer_id: "xlm-treasury",
  },
};

/** A relayer of each kind that works, with the members and in the order of the real service (facts 4.1). */
const EXAMPLE_RELAYERS: Readonly<Record<NetworkKind, Relayer>> = {
  evm: relayer({ id: "eth-main-1", name: "Mainnet 1", network: "mainnet", network_type: "evm", address: EVM_ADDRESS }),
  solana: relayer({
    id: "sol-main",
    name: "Solana main",
    network: "mainnet-beta",
    network_type: "solana",
    address: SOLANA_ADDRESS,
  }),
  stellar: relayer({
    id: "xlm-treasury",
    name: "Stellar treasury",
    network: "mainnet",
    network_type: "stellar",
    address: STELLAR_ADDRESS,
  }),
};

/** Returns why a relayer of each kind is often disabled, as the service words it (facts 4.2). */
const DISABLED_REASONS: Readonly<Record<NetworkKind, { type: string; details: string }>> = {
  evm: { type: "RpcValidationFailed", details: "RPC endpoint validation failed" },
  solana: { type: "BalanceCheckFailed", details: "Insufficient balance" },
  stellar: { type: "SequenceSyncFailed", details: "Sequence synchronization failed" },
};

function relayer({ address = null, ...head }: Relayer): Relayer {
  const signer_id = `signer-${head.id}`;
  return { ...head, paused: false, signer_id, notification_id: "ops-hook", address, system_disabled: false };
}

interface Identity {
  id: string;
  timestamp: string;
}

const FIXED: Identity = {
  id: "0b6f7a0e-8f0a-4a39-9c8c-0f2f6c1d9b11",
  timestamp: "2026-08-20T10:00:37.260000000+00:00",
};

/** Returns an example event of one kind, in the service's order of members (facts 7.3). */
export function exampleEvent(
  { event, payloadType }: CatalogEntry,
  kind: NetworkKind,
  { id, timestamp }: Identity = FIXED,
): WebhookEvent {
  const members = examplePayload(event, payloadType, kind);
  return { id, event, payload: { payload_type: payloadType, ...members }, timestamp };
}

function examplePayload(event: string, type: SentPayload, kind: NetworkKind): WebhookPayloads[SentPayload] {
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
