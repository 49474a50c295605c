import { type Transport, type TransportCause, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { Method, WireReply, WireRequest } from "../../../src/contract/wire.ts";
import type { RelayerChange } from "./fleet.ts";
import { page, reply } from "./reply.ts";
import type { Applied } from "./service.ts";
import type { ModelWorld } from "./world.ts";

/** One attempt of a program. */
export interface Attempt {
  method: Method;
  target: string;
  body: string | undefined;
  /** Whether a byte of it may have reached the service. */
  hasLeft: boolean;
  /** What the service did to a transaction. */
  applied: Applied | undefined;
  /** What it did to a relayer. */
  updated?: RelayerChange;
  /** How many changes the relayers had had when the service responded. */
  seen?: number;
  /** The status and the body of the response that arrived. */
  status: number | undefined;
  received: Uint8Array | undefined;
}

/** What becomes of an attempt. */
const FATES = ["not sent", "lost before", "lost after", "hangs before", "hangs after", "gateway", "limited"] as const;
type Fate = (typeof FATES)[number] | "fine";

export interface Network {
  /** How often, in thousandths, an attempt meets a fault. */
  faults: number;
  /** How often, in thousandths, a transaction reaches the service after its sender heard that the connection broke off. */
  late: number;
  /** How many requests are on their way although nobody waits for them. */
  readonly onTheWay: number;
  /** Whether the service does not listen, as during a restart: what is in progress breaks off. */
  isDown: boolean;
  /** Returns the way of one program to the service. @param watch called when the service responds */
  transportFor(attempts: Attempt[], isAlive: () => boolean, watch?: () => void): Transport;
}

const LOST: WireReply = page(502, "<html>bad gateway</html>");
const LIMITED: WireReply = reply(
  429,
  { success: false, code: 429, error: "TooManyRequests", message: "Too Many Requests", after: 0 },
  { "retry-after": "0", "content-type": "application/json" },
);

/** Milliseconds that a late request is on its way at most. */
export const LATEST = 120_000;

export function createNetwork({ timeline, chance, service, fleet, deceptions }: ModelWorld, faults: number): Network {
  const delay = () => 2 + chance.below(150);

  /** Lets the service respond, and returns what arrives; undefined for a connection that breaks off. */
  function served(request: WireRequest, attempt: Attempt, fate: Fate): WireReply | undefined {
    if (network.isDown || fate === "lost before" || fate === "hangs before") return undefined;
    if (fate === "limited") return LIMITED;
    attempt.seen = fleet.changes.length;
    const response = service(request, {
      applied: (what) => {
        attempt.applied = what;
      },
      updated: (what) => {
        attempt.updated = what;
      },
    });
    if (fate === "gateway") return LOST;
    return fate === "lost after" || fate === "hangs after" ? undefined : response;
  }

  /** Sends a request whose connection breaks off, and that the service gets all the same, some time later. */
  function sendLate(request: WireRequest, attempt: Attempt, fail: (reason: TransportCause) => void): void {
    attempt.hasLeft = true;
    onTheWay++;
    timeline.wakeAfter(delay(), () => fail("reset"));
    timeline.after(chance.below(LATEST), () => {
      onTheWay--;
      served(request, attempt, "fine");
    });
  }

  let onTheWay = 0;
  const network: Network = {
    faults,
    late: 0,
    get onTheWay() {
      return onTheWay;
    },
    isDown: false,
    transportFor:
      (attempts, isAlive, watch) =>
      async (request, { signal }) => {
        const { method, target, body } = request;
        const attempt: Attempt = {
          method,
          target,
          body,
          hasLeft: false,
          applied: undefined,
          status: undefined,
          received: undefined,
        };
        attempts.push(attempt);
        const fate: Fate = chance.below(1_000) < network.faults ? chance.pick(FATES) : "fine";
        return await new Promise((resolve, reject) => {
          const fail = (reason: TransportCause) => {
            if (isAlive()) reject(new TransportFailure(reason, "the model's network", { sent: attempt.hasLeft }));
          };
          const leave = () => fail(signal.reason as TransportCause);
          signal.addEventListener("abort", leave);
          if (signal.aborted) return fail(signal.reason as TransportCause);
          if (
            network.late > 0 &&
            method === "POST" &&
            target.endsWith("/transactions") &&
            chance.below(1_000) < network.late
          )
            return void timeline.after(delay(), () => (isAlive() ? sendLate(request, attempt, fail) : undefined));
          if (network.isDown || fate === "not sent") return void timeline.wakeAfter(delay(), () => fail("connect"));
          timeline.after(delay(), () => {
            if (signal.aborted || !isAlive()) return;
            attempt.hasLeft = true;
            const response = served(request, attempt, fate);
            watch?.();
            if (!response && fate.startsWith("hangs") && !network.isDown) return;
            timeline.wakeAfter(delay(), () => {
              signal.removeEventListener("abort", leave);
              if (!isAlive()) return;
              if (!response) return fail("reset");
              attempt.status = response.status;
              attempt.received = response.body;
              resolve({ ...response, headers: deceptions.headers(response.headers) });
            });
          });
        });
      },
  };
  return network;
}
