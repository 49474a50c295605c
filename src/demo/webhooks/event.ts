import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { Update } from "../state/state.ts";

/** How things are shown to a webhook: as the dialect answers them. */
export interface Shown {
  transaction(transaction: JsonObject): JsonObject;
  relayer(relayer: JsonObject): JsonObject;
}

/** The event, its payload, and the relayer whose notification is told (service-facts 7.2). */
export function eventOf(update: Update, shown: Shown): { event: string; payload: JsonObject; relayerId: string } {
  if ("transaction" in update) {
    const { transaction } = update;
    const payload = { payload_type: "transaction", ...shown.transaction(transaction) };
    return { event: "transaction_update", payload, relayerId: String(transaction.relayer_id) };
  }
  const { disabled } = update;
  const why = reasonText(disabled.disabled_reason);
  const payload = { payload_type: "relayer_disabled", relayer: shown.relayer(disabled), disable_reason: why };
  return { event: "relayer_state_update", payload, relayerId: disabled.id };
}

/** Several reasons are joined. */
function reasonText(reason: JsonValue | undefined): string {
  const details = isJsonObject(reason) ? reason.details : undefined;
  if (!Array.isArray(details)) return String(details ?? "");
  return details.map(reasonText).join(", ");
}
