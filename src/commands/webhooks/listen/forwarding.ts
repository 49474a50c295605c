import { WEBHOOK_TIMEOUT } from "../../../timing.ts";
import { createForwarder, type Forwarded, passedStatus } from "../../../webhooks/forward.ts";
import type { ReceivedRequest } from "../../../webhooks/receiver.ts";
import { createRecent } from "../../../webhooks/recent.ts";
import type { Call } from "../../command.ts";
import type { ListenSettings } from "./settings.ts";
import { isDelivered, type Tally } from "./tally.ts";

/** The number of events of which is known that their target accepted them. */
const REMEMBERED = 100_000;

/**
 * Returns a function that forwards a delivery and returns the status to respond with; undefined without `--forward`. A
 * repeat of an event that the target has accepted is not forwarded again.
 */
export async function createForwarding(
  { app, say }: Call,
  { forward: url }: ListenSettings,
  { until, tally }: { until: AbortSignal; tally: Tally },
): Promise<((id: string, delivery: ReceivedRequest) => Promise<number>) | undefined> {
  if (!url) return undefined;
  const transport = await app.network({ origin: url.origin, caCertificates: [] });
  const post = createForwarder({ url, transport, clock: app.clock, timeout: WEBHOOK_TIMEOUT, interrupt: until });
  const pending = new Map<string, Promise<Forwarded>>();
  const accepted = createRecent<number>(REMEMBERED);
  const sent = async (id: string, delivery: ReceivedRequest) => {
    const forwarded = await post(delivery);
    if (isDelivered(forwarded)) accepted.set(id, passedStatus(forwarded));
    tally.forwarded(forwarded);
    await say(forwardedLine(id, forwarded));
    return forwarded;
  };
  return async (id, delivery) => {
    const before = accepted.get(id);
    if (before !== undefined) return before;
    const sending = pending.get(id) ?? sent(id, delivery).finally(() => pending.delete(id));
    pending.set(id, sending);
    return passedStatus(await sending);
  };
}

/** Returns `forwarded e2b1…: 200 in 12 ms`. */
function forwardedLine(id: string, forwarded: Forwarded): string {
  const time = `${Math.round(forwarded.milliseconds)} ms`;
  if (!("status" in forwarded)) return `warning: ${id} was not accepted by its target: ${forwarded.problem} (${time})`;
  const { status } = forwarded;
  if (isDelivered(forwarded)) return `forwarded ${id}: ${status} in ${time}`;
  const redirect = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
  return `warning: ${id} was refused by its target: ${status}${redirect} (${time})`;
}
