import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";
import type { Update } from "../state/state.ts";

export interface Shown {
  transaction(transaction: JsonObject): JsonObject;
  relayer(relayer: JsonObject): JsonObject;
}

export interface WebhookEvent {
  event: string;
  payload: JsonObject;
  relayerId: string;
}

/** Returns the payload of an update (facts 7.2). */
export function eventOf(update: Update, shown: Shown): WebhookEvent {
  if ("transaction" in update) {
    const { transaction } = update;
    const payload = { payload_type: "transaction", ...shown.transaction(transaction) };
    return { event: "transaction_update", payload, relayerId: String(transaction.relayer_id) };
  }
  if ("signed" in update) {
    const { signed, relayerId } = update;
    return { event: "sign_transaction", payload: { payload_type: "solana_rpc", ...signed }, relayerId };
  }
  return "enabled" in update
    ? enabledEvent(update.enabled, update.retries, shown)
    : disabledEvent(update.disabled, shown);
}

function enabledEvent(enabled: Resource, retries: number, shown: Shown): WebhookEvent {
  const payload = { payload_type: "relayer_enabled", relayer: shown.relayer(enabled), retry_count: retries };
  return { event: "relayer_state_update", payload, relayerId: enabled.id };
}

function disabledEvent(disabled: Resource, shown: Shown): WebhookEvent {
  const why = reasonText(disabled.disabled_reason);
  const payload = { payload_type: "relayer_disabled", relayer: shown.relayer(disabled), disable_reason: why };
  return { event: "relayer_state_update", payload, relayerId: disabled.id };
}

function reasonText(reason: JsonValue | undefined): string {
  const details = isJsonObject(reason) ? reason.details : undefined;
  if (!Array.isArray(details)) return String(details ?? "");
  return details.map(reasonText).join(", ");
}
