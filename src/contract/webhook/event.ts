import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from "../json.ts";
import type { Relayer } from "../resources/relayer.ts";
import type { Transaction } from "../transaction/transaction.ts";

/** A swap of a relayer's tokens for the coin that pays its fees. */
export interface SwapResult extends JsonObject {
  mint: string;
  /** In the smallest unit. */
  source_amount: JsonValue;
  destination_amount: JsonValue;
  transaction_signature: string;
  /** Null if it did not fail. */
  error: string | null;
}

/** Members of payloads besides `payload_type` (facts 7.2). Later versions may add members. */
export interface WebhookPayloads {
  /** A transaction after a change of its status. */
  transaction: Transaction;
  /** Defined by the service, and never sent. */
  transaction_failure: { transaction: Transaction; failure_reason: string };
  relayer_disabled: { relayer: Relayer; disable_reason: string };
  /** A relayer that the service enabled again, after this many checks. */
  relayer_enabled: { relayer: Relayer; retry_count: JsonValue };
  /** The result of a Solana method. */
  solana_rpc: JsonObject;
  solana_dex: { swap_results: SwapResult[] };
  stellar_dex: { swap_results: SwapResult[] };
}

export type PayloadType = keyof WebhookPayloads;

/** The payload of an event: its type, and next to it the members of that type. */
export type WebhookPayload<Type extends string = string> = JsonObject & {
  payload_type: Type;
} & (Type extends PayloadType ? WebhookPayloads[Type] : unknown);

/** The body of a webhook delivery (facts 7.2). Later versions may send further events, payload types, and members. */
export interface WebhookEvent<Type extends string = string> {
  /** A UUID, the same in all attempts of a delivery: remove duplicates by it. */
  id: string;
  /** `transaction_update`, `relayer_state_update`, … */
  event: string;
  payload: WebhookPayload<Type>;
  /** When it happened, in RFC 3339: events arrive in any order. */
  timestamp: string;
}

/** Reads the body of a verified delivery, if it is an event. Integers above 2^53 become a `bigint`. */
export function readWebhookEvent(body: string | Uint8Array): WebhookEvent | undefined {
  const value = tryParseJson(body);
  if (!isJsonObject(value)) return undefined;
  const { id, event, payload, timestamp } = value;
  if (typeof id !== "string" || typeof event !== "string" || typeof timestamp !== "string") return undefined;
  if (!isJsonObject(payload) || typeof payload.payload_type !== "string") return undefined;
  return { ...value, id, event, payload: payload as WebhookPayload, timestamp };
}

/** Returns whether an event has this type of payload, so that TypeScript knows its members. */
export function hasPayload<Type extends PayloadType>(event: WebhookEvent, type: Type): event is WebhookEvent<Type> {
  return event.payload.payload_type === type;
}
