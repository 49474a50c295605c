import type { Clock } from "../client/clock.ts";
import { type Transport, TransportFailure } from "../client/transport/transport.ts";
import { deliverWebhook } from "../client/webhook.ts";
import { HOP_BY_HOP } from "../contract/header-rules.ts";
import type { ReceivedRequest } from "../contract/webhook/receiver.ts";

/** The status of the target's response, or why there is none. */
export type Forwarded = { milliseconds: number } & ({ status: number } | { problem: string; isLate: boolean });

export interface ForwardOptions {
  url: URL;
  transport: Transport;
  clock: Pick<Clock, "elapsed" | "sleep">;
  timeout: number;
  interrupt: AbortSignal;
}

/** The most concurrent deliveries; further ones wait. */
const IN_FLIGHT = 16;

/** Returns a function that sends a delivery on: the same bytes with the same headers. It never rejects for the target. */
export function createForwarder({ url, transport, ...bounds }: ForwardOptions) {
  const { clock } = bounds;
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const post = async ({ headers, body }: ReceivedRequest): Promise<Forwarded> => {
    const started = clock.elapsed();
    const since = () => clock.elapsed() - started;
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
    try {
      const { status } = await deliverWebhook({ url: url.href, headers: kept, body }, transport, bounds);
      return { status, milliseconds: since() };
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      return { ...whyMissing(error, bounds.timeout), milliseconds: since() };
    }
  };
  return async (request: ReceivedRequest): Promise<Forwarded> => {
    if (inFlight === IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve));
    else inFlight++;
    try {
      return await post(request);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inFlight--;
    }
  };
}

/** Returns why there is no response, without the transport's flags, which don't limit a delivery. */
function whyMissing({ reason, message }: TransportFailure, timeout: number): { problem: string; isLate: boolean } {
  const isLate = reason === "timeout";
  return { problem: isLate ? `no response within ${timeout / 1000} s` : message, isLate };
}

export function forwardedStatus(forwarded: Forwarded): number {
  if (!("status" in forwarded)) return forwarded.isLate ? 504 : 502;
  const { status } = forwarded;
  return status >= 300 && status < 400 ? 502 : status;
}

const LOOPBACK =
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::\]|0\.0\.0\.0|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])\.?$/i;

export function isForwardToSelf({ protocol, hostname, port }: URL, ownPort: number): boolean {
  const usual = protocol === "https:" ? 443 : 80;
  return (port === "" ? usual : Number(port)) === ownPort && LOOPBACK.test(hostname);
}
