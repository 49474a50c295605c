import { type JsonObject, type JsonValue, objectIn, writeJson } from "../../contract/json.ts";
import type { DeliveryLine } from "../../contract/serving.ts";
import { DELIVERY_ATTEMPTS, waitBeforeWebhookAttempt } from "../../contract/webhook/attempts.ts";
import { isReserved } from "../../contract/webhook/reserved.ts";
import type { Resource } from "../state/collection.ts";
import type { Update } from "../state/state.ts";
import type { ServerStore } from "../state/store.ts";
import { type ServerClock, type ServerRandom, serverTime } from "../world.ts";

export interface OutgoingDelivery {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends a request and returns the response's status. Rejects without one. */
export type Deliver = (delivery: OutgoingDelivery, signal: AbortSignal) => Promise<number>;

export interface DeliveriesOptions {
  store: ServerStore;
  clock: ServerClock;
  random: ServerRandom;
  deliver: Deliver;
  interrupt: AbortSignal;
  shown: ShownRecord;
  delivered(line: DeliveryLine): Promise<void>;
}

/** Creates notifications about changes of relayers and their transactions (facts 7). */
export function createDeliveries(options: DeliveriesOptions): {
  deliver(updates: readonly Update[]): void;
  settled(): Promise<void>;
} {
  const pending = new Set<Promise<void>>();
  return {
    deliver(updates) {
      for (const update of updates) {
        const delivery = deliverUpdate(update, options).finally(() => pending.delete(delivery));
        pending.add(delivery);
      }
    },
    async settled() {
      await Promise.all(pending);
    },
  };
}

/** Delivers one update. All attempts have the same body; URL and key are looked up each time. */
async function deliverUpdate(update: Update, options: DeliveriesOptions): Promise<void> {
  const { clock, random, interrupt } = options;
  const { event, payload, relayerId } = eventFor(update, options.shown);
  const body = writeJson({ id: random.uuid(), event, payload, timestamp: serverTime(update.timestamp) });
  const id = await options.store.read(({ relayers }) => String(relayers.get(relayerId)?.notification_id ?? ""));
  for (let attempt = 1; attempt <= DELIVERY_ATTEMPTS; attempt++) {
    if (attempt > 1) await clock.sleep(waitBeforeWebhookAttempt(attempt, random.fraction()), interrupt);
    if (interrupt.aborted) return;
    const notification = await options.store.read(({ notifications }) => notifications.get(id));
    if (!notification || isReserved(String(notification.url))) return;
    const status = await readAttempt(notification, body, options);
    await options.delivered({ notification: notification.id, event, attempt, ...(status && { status }) });
    if (status !== undefined && status >= 200 && status < 300) return;
  }
}

async function readAttempt(
  { url, signing_key: key }: Resource,
  body: string,
  { deliver, interrupt }: DeliveriesOptions,
): Promise<number | undefined> {
  const isSigned = typeof key === "string" && key !== "";
  const signature = isSigned ? { "x-signature": await readSignature(key, body) } : {};
  const headers = { "content-type": "application/json", accept: "*/*", ...signature };
  return await deliver({ url: String(url), headers, body }, interrupt).catch(() => undefined);
}

/** Loads the hashes with the first signed delivery, so that the server listens sooner. */
async function readSignature(key: string, body: string): Promise<string> {
  return (await import("../../contract/webhook/signature.ts")).webhookSignature(key, body);
}

export interface ShownRecord {
  transaction(transaction: JsonObject): JsonObject;
  relayer(relayer: JsonObject): JsonObject;
}

/** Returns the payload of an update (facts 7.2). */
function eventFor(update: Update, shown: ShownRecord): { event: string; payload: JsonObject; relayerId: string } {
  if ("transaction" in update) {
    const { transaction } = update;
    const payload = { payload_type: "transaction", ...shown.transaction(transaction) };
    return { event: "transaction_update", payload, relayerId: String(transaction.relayer_id) };
  }
  if ("signed" in update) {
    const { signed, relayerId } = update;
    return { event: "sign_transaction", payload: { payload_type: "solana_rpc", ...signed }, relayerId };
  }
  const [type, relayer, more] =
    "enabled" in update
      ? ["relayer_enabled", update.enabled, { retry_count: update.retries }]
      : ["relayer_disabled", update.disabled, { disable_reason: reasonText(update.disabled.disabled_reason) }];
  const payload = { payload_type: type, relayer: shown.relayer(relayer), ...more };
  return { event: "relayer_state_update", payload, relayerId: relayer.id };
}

function reasonText(reason: JsonValue | undefined): string {
  const details = objectIn(reason).details;
  if (!Array.isArray(details)) return String(details ?? "");
  return details.map(reasonText).join(", ");
}
