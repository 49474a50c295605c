import { type Transport, type TransportCause, TransportFailure } from "../../../src/client/transport/transport.ts";
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

/**
 * A service that sends one step after the other, and fails the test afterwards. A repeated read gets the same response,
 * without a step, if it was a 404 or no step is left.
 */
export function scriptedService(...steps: readonly Step[]): ScriptedService {
  const requests: WireRequest[] = [];
  const asked = () => requests.map(({ method, target }) => `${method} ${target}`);
  let last: { target: string; reply: WireReply; repeats: number } | undefined;
  const repeated = ({ method, target }: WireRequest) => {
    if (method !== "GET" || last?.target !== target) return undefined;
    const { reply } = last;
    const isMissing = [404, 405].includes(reply.status);
    if (isMissing && --last.repeats === 0) last = undefined;
    return isMissing || requests.length === steps.length ? reply : undefined;
  };
  const transport: Transport = async (request, { signal }) => {
    const again = repeated(request);
    if (again) return again;
    const step = steps[requests.length];
    requests.push(request);
    if (!step) throw new Error(`nobody told the service what to answer to ${asked().at(-1)}`);
    if (step.expect !== undefined && step.expect !== asked().at(-1))
      throw new Error(`expected ${step.expect}, got ${asked().at(-1)}`);
    if (step.failure) throw step.failure;
    // A missing route is read three times, and a missing resource twice.
    const repeats = new TextDecoder().decode(step.reply?.body).includes('"success"') ? 1 : 2;
    last = step.reply && { target: request.target, reply: step.reply, repeats };
    return step.reply ?? (await untilEnded(signal));
  };
  return { transport, requests, asked, left: () => steps.length - requests.length };
}

async function untilEnded(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw new TransportFailure(signal.reason as TransportCause, "no complete response", { sent: true });
}

export function notSent(reason: TransportCause = "connect"): TransportFailure {
  return new TransportFailure(reason, "127.0.0.1:1: the connection was refused", { sent: false });
}

export function lost(reason: TransportCause = "reset", status?: number): TransportFailure {
  return new TransportFailure(reason, "the connection was closed", { sent: true, status });
}
