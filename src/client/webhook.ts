import type { WireReply } from "../contract/wire.ts";
import type { Clock } from "./clock.ts";
import { type Transport, TransportFailure } from "./transport/transport.ts";

/** The rest of a larger body is not read. */
const MAX_BYTES = 2 ** 20;

export interface Delivery {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** Opens a connection; a redirect is a response. An unreadable body is empty (facts 7.1). @throws TransportFailure */
export async function deliverWebhook(
  { url, headers, body }: Delivery,
  transport: Transport,
  { clock, interrupt, timeout }: { clock: Pick<Clock, "sleep">; interrupt: AbortSignal; timeout: number },
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
  } catch (error) {
    const status = error instanceof TransportFailure && error.reason !== "interrupted" ? error.status : undefined;
    if (status === undefined) throw error;
    return { status, headers: {}, body: new Uint8Array() };
  } finally {
    done.abort("finished");
  }
}
