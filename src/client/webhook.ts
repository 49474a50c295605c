import { WEBHOOK_TIMEOUT } from "../timing.ts";
import type { FindAddresses } from "./network-options.ts";
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
  findAddresses?: FindAddresses,
): Promise<number> {
  const { origin, pathname, search } = new URL(url);
  const transport = createNetwork({ origin, caCertificates: [], ...(findAddresses && { findAddresses }) });
  const request = { method: "POST", target: pathname + search, headers, body } as const;
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(WEBHOOK_TIMEOUT)]);
  return (await transport(request, { maxBytes: MAX_BYTES, connection: "own", signal })).status;
}
