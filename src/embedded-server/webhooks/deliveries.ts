import { writeJson } from "../../contract/json.ts";
import { webhookSignature } from "../../contract/webhook-signature.ts";
import type { Resource } from "../state/collection.ts";
import type { Update } from "../state/state.ts";
import type { DemoStore } from "../state/store.ts";
import { timestampText } from "../timestamp.ts";
import type { DemoClock, DemoRandom } from "../world.ts";
import { eventOf, type Shown } from "./event.ts";
import { isReserved } from "./reserved.ts";

/** One request to a webhook. */
export interface Delivery {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends one and gives the status of its answer. Rejects when there is none. */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<number>;

/** What came of an attempt. */
export interface DeliveryLine {
  notification: string;
  event: string;
  /** 1 for the first. */
  attempt: number;
  /** Nothing when no answer came. */
  status?: number;
}

export interface DeliveriesOptions {
  store: DemoStore;
  clock: DemoClock;
  random: DemoRandom;
  deliver: Deliver;
  /** Ends what is under way. */
  interrupt: AbortSignal;
  shown: Shown;
  delivered(line: DeliveryLine): Promise<void>;
}

export interface Deliveries {
  tell(updates: readonly Update[]): void;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
}

/** facts 7.1: the maximum of attempts, and the milliseconds before the second and each later one. */
const ATTEMPTS = 5;
const FIRST_WAIT = 2000;
const LONGEST_WAIT = 8000;

/** Notifies about changes of relayers and their transactions (facts 7). */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const underWay = new Set<Promise<void>>();
  return {
    tell(updates) {
      for (const update of updates) {
        const telling = tellOne(update, options).finally(() => underWay.delete(telling));
        underWay.add(telling);
      }
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

/** The body stays the same in all attempts; where it goes to and its key are looked up each time. */
async function tellOne(update: Update, options: DeliveriesOptions): Promise<void> {
  const { clock, random, interrupt } = options;
  const { event, payload, relayerId } = eventOf(update, options.shown);
  const body = writeJson({ id: random.uuid(), event, payload, timestamp: timestampText(update.timestamp) });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await clock.sleep(waitBefore(attempt, random), interrupt);
    if (interrupt.aborted) return;
    const notification = await notificationFor(relayerId, options.store);
    if (!notification || isReserved(String(notification.url))) return;
    const status = await attemptOf(notification, body, options);
    await options.delivered({ notification: notification.id, event, attempt, ...(status && { status }) });
    if (status !== undefined && status >= 200 && status < 300) return;
  }
}

/** Twice as long each time, with up to as much again by chance. */
function waitBefore(attempt: number, random: DemoRandom): number {
  const wait = Math.min(FIRST_WAIT * 2 ** (attempt - 2), LONGEST_WAIT);
  return wait * (1 + random.fraction());
}

/** Nothing for a relayer that tells nobody, and once the notification is gone. */
function notificationFor(relayerId: string, store: DemoStore): Promise<Resource | undefined> {
  return store.read(({ relayers, notifications }) => {
    const id = relayers.get(relayerId)?.notification_id;
    return typeof id === "string" ? notifications.get(id) : undefined;
  });
}

async function attemptOf(
  { url, signing_key: key }: Resource,
  body: string,
  { deliver, interrupt }: DeliveriesOptions,
): Promise<number | undefined> {
  const isSigned = typeof key === "string" && key !== "";
  const signature = isSigned ? { "x-signature": webhookSignature(key, body) } : {};
  const headers = { "content-type": "application/json", accept: "*/*", ...signature };
  return await deliver({ url: String(url), headers, body }, interrupt).catch(() => undefined);
}
