import type { WireReply } from "../contract/wire.ts";
import { WEBHOOK_TIMEOUT } from "../timing.ts";
import type { Clock } from "./clock.ts";
import type { FindAddresses, Transport } from "./transport/transport.ts";
import { createNetwork } from "./transport.ts";

/** Bytes; a larger response is an error. */
const MAX_BYTES = 2 ** 20;

/** One request to a webhook. */
export interface Delivery {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

interface DeliveryBounds {
  clock: Pick<Clock, "sleep">;
  interrupt: AbortSignal;
  /** Milliseconds. */
  timeout: number;
}

/**
 * Sends one request to a webhook, over a new connection, and returns the response; a redirect is a response.
 * @param transport to the origin of the URL
 * @throws TransportFailure
 */
export async function deliver(
  { url, headers, body }: Delivery,
  transport: Transport,
  { clock, interrupt, timeout }: DeliveryBounds,
): Promise<WireReply> {
  const { pathname, search } = new URL(url);
  const content = typeof body === "string" ? { body } : { bytes: body };
  const request = { method: "POST", target: pathname + search, headers, ...content } as const;
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(timeout, done.signal).then(() => late.abort("timeout"));
  const signal = AbortSignal.any([interrupt, late.signal]);
  try {
    return await transport(request, { maxBytes: MAX_BYTES, connection: "own", signal });
  } finally {
    done.abort("finished");
  }
}

/**
 * Sends one request to a webhook directly, and returns the status of the response.
 * @throws TransportFailure
 */
export async function postWebhook(
  delivery: Delivery,
  interrupt: AbortSignal,
  { clock, findAddresses }: { clock: Pick<Clock, "sleep">; findAddresses?: FindAddresses },
): Promise<number> {
  const { origin } = new URL(delivery.url);
  const transport = createNetwork({ origin, caCertificates: [], ...(findAddresses && { findAddresses }) });
  return (await deliver(delivery, transport, { clock, interrupt, timeout: WEBHOOK_TIMEOUT })).status;
}
