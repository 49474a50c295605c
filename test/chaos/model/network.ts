import { type Transport, type TransportCause, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { Method, WireReply, WireRequest } from "../../../src/contract/wire.ts";
import type { RelayerChange } from "./fleet.ts";
import type { Stored } from "./record.ts";
import { page, reply } from "./reply.ts";
import type { Applied } from "./service.ts";
import type { ModelWorld } from "./world.ts";

export interface Attempt {
  method: Method;
  target: string;
  body: string | undefined;
  /** Whether a byte of it may have reached the service. */
  hasLeft: boolean;
  /** What the service did to a transaction. */
  applied: Applied | undefined;
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
  /** Whether responses of other payments may come in the place of some. */
  isMixedUp: boolean;
  /**
   * Returns the way of one program to the service.
   * @param watch called when the service responds
   * @param hasJournal whether the program knows the earlier payments of the journal
   */
  transportFor(attempts: Attempt[], isAlive: () => boolean, watch?: () => void, hasJournal?: boolean): Transport;
}

const LOST: WireReply = page(502, "<html>bad gateway</html>");
const LIMITED: WireReply = reply(
  429,
  { success: false, code: 429, error: "TooManyRequests", message: "Too Many Requests", after: 0 },
  { "retry-after": "0", "content-type": "application/json" },
);

function isPayment({ method, target }: WireRequest): boolean {
  return method === "POST" && target.endsWith("/transactions");
}

/** Milliseconds that a late request is on its way at most. */
export const LATEST = 120_000;

export function createNetwork(
  { timeline, chance, service, fleet, deceptions, disk, worker }: ModelWorld,
  faults: number,
): Network {
  const delay = () => 2 + chance.below(150);

  /** Lets the service respond, and returns what arrives; undefined for a connection that breaks off. */
  function served(request: WireRequest, attempt: Attempt, fate: Fate, hasJournal: boolean): WireReply | undefined {
    if (network.isDown || fate === "lost before" || fate === "hangs before") return undefined;
    if (fate === "limited") return LIMITED;
    const response =
      hasJournal && network.isMixedUp && isPayment(request)
        ? respondOtherwise(request, attempt)
        : serve(request, attempt);
    if (fate === "gateway") return LOST;
    return fate === "lost after" || fate === "hangs after" ? undefined : response;
  }

  /** Responds to a payment, or with the record of an earlier one, whether or not the service gets the request. */
  function respondOtherwise(request: WireRequest, attempt: Attempt): WireReply {
    const other = deceptions.otherReply(knownPayments(request));
    if (!other) return serve(request, attempt);
    if (!other.isForwarded) return other.reply;
    const response = serve(request, attempt);
    return response.status === 200 ? other.reply : response;
  }

  function serve(request: WireRequest, attempt: Attempt): WireReply {
    attempt.seen = fleet.changes.length;
    return service(request, {
      applied: (what) => {
        attempt.applied = what;
      },
      updated: (what) => {
        attempt.updated = what;
      },
    });
  }

  /** The payments whose transactions the journal knows; those that equal a request if there are any. */
  function knownPayments({ body }: WireRequest): Stored[] {
    const known = disk.entries.flatMap((entry) => {
      const id = entry.type === "outcome" && entry.applied === "yes" ? entry.after?.id : undefined;
      return (typeof id === "string" && worker.records.get(id)) || [];
    });
    const { to, value } = JSON.parse(body ?? "{}");
    const equal = known.filter((stored) => stored.to === to && String(stored.value) === String(value));
    return equal.length > 0 ? equal : known;
  }

  function sendLate(request: WireRequest, attempt: Attempt, fail: (reason: TransportCause) => void): void {
    attempt.hasLeft = true;
    onTheWay++;
    timeline.wakeAfter(delay(), () => fail("reset"));
    timeline.after(chance.below(LATEST), () => {
      onTheWay--;
      served(request, attempt, "fine", false);
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
    isMixedUp: true,
    transportFor:
      (attempts, isAlive, watch, hasJournal = false) =>
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
          if (network.late > 0 && isPayment(request) && chance.below(1_000) < network.late)
            return void timeline.after(delay(), () => (isAlive() ? sendLate(request, attempt, fail) : undefined));
          if (network.isDown || fate === "not sent") return void timeline.wakeAfter(delay(), () => fail("connect"));
          timeline.after(delay(), () => {
            if (signal.aborted || !isAlive()) return;
            attempt.hasLeft = true;
            const response = served(request, attempt, fate, hasJournal);
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
