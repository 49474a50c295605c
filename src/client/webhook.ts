import { WEBHOOK_TIMEOUT } from "../timing.ts";
import type { Clock } from "./clock.ts";
import type { FindAddresses } from "./transport/transport.ts";
import { createNetwork } from "./transport.ts";

/** Bytes; a larger response is an error. */
const MAX_BYTES = 2 ** 20;

/**
 * Sends one request to a webhook, over a new connection, and returns the status of the response; a redirect is a
 * response.
 * @throws TransportFailure
 */
export async function postWebhook(
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  interrupt: AbortSignal,
  { clock, findAddresses }: { clock: Pick<Clock, "sleep">; findAddresses?: FindAddresses },
): Promise<number> {
  const { origin, pathname, search } = new URL(url);
  const transport = createNetwork({ origin, caCertificates: [], ...(findAddresses && { findAddresses }) });
  const request = { method: "POST", target: pathname + search, headers, body } as const;
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(WEBHOOK_TIMEOUT, done.signal).then(() => late.abort("late"));
  const signal = AbortSignal.any([interrupt, late.signal]);
  try {
    return (await transport(request, { maxBytes: MAX_BYTES, connection: "own", signal })).status;
  } finally {
    done.abort("finished");
  }
}
