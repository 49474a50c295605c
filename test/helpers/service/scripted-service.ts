import type { Transport, TransportCause } from "../../../src/client/transport/transport.ts";
import { TransportFailure } from "../../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";

/** One request that is awaited, and what comes of it. Without `reply` and `failure` it hangs until the attempt is ended. */
export interface Step {
  /** Method and target, as `GET /api/v1/relayers/a`. */
  expect?: string;
  reply?: WireReply;
  failure?: TransportFailure;
}

export interface ScriptedService {
  transport: Transport;
  /** Every request that came, in order. */
  requests: WireRequest[];
  /** The requests as `METHOD /target`. */
  asked(): string[];
  /** Steps that nobody asked for yet. */
  left(): number;
}

/** A service that answers one step after the other, and fails the test when it is asked for more. */
export function scriptedService(...steps: readonly Step[]): ScriptedService {
  const requests: WireRequest[] = [];
  const asked = () => requests.map(({ method, target }) => `${method} ${target}`);
  const transport: Transport = async (request, { signal }) => {
    const step = steps[requests.length];
    requests.push(request);
    if (!step) throw new Error(`nobody told the service what to answer to ${asked().at(-1)}`);
    if (step.expect !== undefined && step.expect !== asked().at(-1)) {
      throw new Error(`expected ${step.expect}, got ${asked().at(-1)}`);
    }
    if (step.failure) throw step.failure;
    return step.reply ?? (await untilEnded(signal));
  };
  return { transport, requests, asked, left: () => steps.length - requests.length };
}

async function untilEnded(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw new TransportFailure(signal.reason as TransportCause, "no complete response", { sent: true });
}

/** A reply of any status; an object is written as JSON, a text goes out as it is. */
export function reply(status: number, body: object | string = "", headers: Record<string, string> = {}): WireReply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers, body: new TextEncoder().encode(text) };
}

/** The success shape around `data`, which is JSON text where JavaScript would round a number. */
export function success(data: object | string, pagination?: object, status = 200): WireReply {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const pages = pagination ? `,"pagination":${JSON.stringify(pagination)}` : "";
  return reply(status, `{"success":true,"data":${text},"error":null${pages}}`);
}

/** All of a list on one page, counted as each service does. */
export function wholeList(items: readonly object[]): WireReply {
  return success(items, { current_page: 1, per_page: 1000, total_items: items.length });
}

/** The failure shape of interface 1.3. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): WireReply {
  return reply(status, { data: null, message, success: false }, headers);
}

export function notSent(reason: TransportCause = "connect"): TransportFailure {
  return new TransportFailure(reason, "127.0.0.1:1: the connection was refused", { sent: false });
}

export function lost(reason: TransportCause = "reset", status?: number): TransportFailure {
  return new TransportFailure(reason, "the connection was closed", { sent: true, status });
}
