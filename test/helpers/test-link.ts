import { createThrottle } from "../../src/client/attempt/throttle.ts";
import type { ClientContext, ClientEvent } from "../../src/client/client-context.ts";
import type { Clock } from "../../src/client/clock.ts";
import { createJsonRpcIds } from "../../src/client/json-rpc.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import { DEFAULT_TIMEOUT } from "../../src/timing.ts";

export const NOW = Date.parse("2026-11-21T03:12:07Z");

export interface TestClientContext extends ClientContext {
  events: ClientEvent[];
  /** The waits between attempts, in milliseconds. */
  waits: number[];
  /** Lets the time of the attempt that is in progress run out. */
  expire(): void;
  controller: AbortController;
}

/** A link over an exchange, with a clock on which every wait has passed at once and no attempt ever takes time. */
export function testClientContext(transport: Transport, options: Partial<ClientContext> = {}): TestClientContext {
  const controller = new AbortController();
  const events: ClientEvent[] = [];
  const waits: number[] = [];
  const limits = new Set<() => void>();
  let elapsed = 0;
  const clock: Clock = {
    now: () => NOW + elapsed,
    elapsed: () => elapsed,
    sleep: async (milliseconds, signal) => {
      // Pauses are shorter than an attempt, or end with the controller.
      if (signal !== controller.signal && milliseconds >= DEFAULT_TIMEOUT) return await limitOf(signal, limits);
      waits.push(milliseconds);
      elapsed += milliseconds;
    },
  };
  const clientContext: ClientContext = {
    transport,
    token: "test-token",
    clock,
    random: { uuid: () => "11111111-2222-4333-8444-555555555555", fraction: () => 0.5 },
    throttle: createThrottle(clock),
    knownKeys: new Map(),
    latest: { date: 0 },
    nextRpcId: createJsonRpcIds(clock),
    timeout: DEFAULT_TIMEOUT,
    retries: 2,
    heapLimit: () => 4 * 2 ** 30,
    interrupt: controller.signal,
    abandon: new AbortController().signal,
    report: (event) => void events.push(event),
    ...options,
  };
  return { ...clientContext, events, waits, controller, expire: () => limits.forEach((end) => void end()) };
}

/** The time of one attempt: it ends with the attempt, or when the test lets it run out. */
function limitOf(signal: AbortSignal | undefined, limits: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve());
    limits.add(resolve);
  });
}

export async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error("it was expected to fail and did not");
}
