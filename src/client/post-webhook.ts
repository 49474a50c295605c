import { WEBHOOK_TIMEOUT } from "../timing.ts";
import type { Clock } from "./clock.ts";
import type { FindAddresses } from "./transport/transport.ts";
import { openTransport } from "./transport.ts";
import { type Delivery, deliverWebhook } from "./webhook.ts";

/** Sends one request to a webhook directly, and returns the status of the response. @throws TransportFailure */
export async function postWebhook(
  delivery: Delivery,
  interrupt: AbortSignal,
  { clock, findAddresses }: { clock: Pick<Clock, "sleep">; findAddresses?: FindAddresses },
): Promise<number> {
  const { origin } = new URL(delivery.url);
  const transport = openTransport({
    origin,
    caCertificates: [],
    asFlags: true,
    ...(findAddresses && { findAddresses }),
  });
  return (await deliverWebhook(delivery, transport, { clock, interrupt, timeout: WEBHOOK_TIMEOUT })).status;
}
