import { wireAmount } from "../../contract/amount.ts";
import type { IncidentFacts, IncidentName, IncidentPayment, ReceivedWrite } from "../../contract/incident.ts";
import type { InjectedFailure } from "../../contract/serving.ts";
import { isFinal, isPending } from "../../contract/transaction/transaction-state.ts";
import { chainOf, minedFor } from "../chain/chains.ts";
import { outcomeOf } from "../chain/contracts.ts";
import { LostResponse } from "../middleware/failures.ts";
import type { EmbeddedServer } from "../server.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { memoryStore, type ServerStore } from "../state/store.ts";
import type { ServerClock } from "../world.ts";
import { createIncident, MAINNET } from "./incidents.ts";

/** An incident on the server's clock, and the user's actions. */
export interface Drill {
  store: ServerStore;
  failures: readonly InjectedFailure[];
  payments: readonly IncidentPayment[];
  /** Resolves some time after every payment arrived and nothing is pending, so that the last command can read that. */
  untilOver(clock: ServerClock, stop: AbortSignal): Promise<void>;
  /** Returns the same server, which notes its requests. */
  observed(server: EmbeddedServer): EmbeddedServer;
  facts(): IncidentFacts;
}

const MINUTE = 60_000;
const CHECK_INTERVAL = 1_000;
/** Milliseconds from the end of an incident to the end of its drill. */
const CALM = 15_000;

/** @param now returns milliseconds since 1970 */
export function createDrill({ name, seed }: { name: IncidentName; seed: number }, now: () => number): Drill {
  const start = now();
  const { state, payments, failures } = createIncident(name, seed, start);
  let overSince: number | undefined;
  const reads: number[] = [];
  const writes: ReceivedWrite[] = [];
  const canceled = new Set<string>();

  function note({ method, target, body = "" }: Parameters<EmbeddedServer>[0], isApplied: boolean): void {
    if (!/^\/api\/v1\/relayers\b/.test(target)) return;
    if (isApplied) reads.push(Math.floor((now() - start) / MINUTE));
    if (method !== "GET" && /\/transactions\b/.test(target)) writes.push({ method, target, body, isApplied });
  }

  function observed(server: EmbeddedServer): EmbeddedServer {
    return async (request) => {
      const needless = request.method === "DELETE" ? findNeedless(state, payments, request.target) : undefined;
      const received = (isApplied: boolean) => {
        note(request, isApplied);
        if (isApplied && needless !== undefined) canceled.add(needless);
      };
      try {
        const reply = await server(request);
        received(reply.status < 400);
        return reply;
      } catch (error) {
        received(error instanceof LostResponse);
        throw error;
      }
    };
  }

  function facts(): IncidentFacts {
    const length = (overSince ?? now()) - start;
    const made = payments.map((payment) => countTransfers(state, payment));
    return {
      isOver: isOver(state, payments),
      milliseconds: length,
      counts: {
        paid_twice: made.reduce((sum, { mined, open }) => sum + Math.max(0, mined + open - 1), 0),
        lost: made.filter(({ mined, unsettled }) => mined === unsettled).length + countStrays(state, payments),
        minutes_blind: countBlind(new Set(reads), length),
        needless_cancellations: canceled.size,
      },
      writes,
    };
  }

  async function untilOver(clock: ServerClock, stop: AbortSignal): Promise<void> {
    let calm = 0;
    while (calm < CALM && !stop.aborted) {
      await clock.sleep(CHECK_INTERVAL, stop);
      calm = isOver(state, payments) ? calm + CHECK_INTERVAL : 0;
      overSince = calm === 0 ? undefined : (overSince ?? now());
    }
  }

  return { store: memoryStore(state), failures, payments, untilOver, observed, facts };
}

function isOver(state: ServerState, payments: readonly IncidentPayment[]): boolean {
  const isOpen = state.transactions.held().some(({ status }) => !isFinal(String(status)));
  return !isOpen && payments.every((payment) => countTransfers(state, payment).mined > 0);
}

function countTransfers(state: ServerState, payment: IncidentPayment) {
  const { mined } = chainOf(state, { id: MAINNET });
  const records = state.transactions.held().filter((record) => isPayment(record, payment));
  return {
    mined: mined.filter((each) => isTransfer(each, payment) && !outcomeOf(each).isReverted).length,
    unsettled: records.filter((record) => !isFinal(String(record.status)) && minedFor(state, record)).length,
    open: records.filter((record) => isPending(record) && !minedFor(state, record)).length,
  };
}

function isTransfer({ to, value }: { to: string | null; value: bigint }, payment: IncidentPayment): boolean {
  return to?.toLowerCase() === payment.to && value === payment.value;
}

function isPayment({ to, value }: Resource, payment: IncidentPayment): boolean {
  return isTransfer({ to: typeof to === "string" ? to : null, value: wireAmount(value) ?? 0n }, payment);
}

/** Counts the transfers that went to neither a receiver nor a relayer. */
function countStrays(state: ServerState, payments: readonly IncidentPayment[]): number {
  const own = new Set(state.relayers.held().map(({ address }) => String(address).toLowerCase()));
  const { mined } = chainOf(state, { id: MAINNET });
  const isStray = (each: (typeof mined)[number]) =>
    each.value > 0n && !own.has(String(each.to).toLowerCase()) && !payments.some((one) => isTransfer(each, one));
  return mined.filter(isStray).length;
}

function findNeedless(state: ServerState, payments: readonly IncidentPayment[], target: string): string | undefined {
  const id = /\/transactions\/([^/?]+)$/.exec(target)?.[1] ?? "";
  const record = state.transactions.get(id);
  const payment = record && payments.find((each) => isPayment(record, each));
  if (!payment) return undefined;
  const { mined, open } = countTransfers(state, payment);
  return mined + open > 1 && !minedFor(state, record) ? undefined : id;
}

function countBlind(seen: ReadonlySet<number>, length: number): number {
  const minutes = Array.from({ length: Math.floor(length / MINUTE) }, (_, minute) => minute);
  return minutes.filter((minute) => !seen.has(minute)).length;
}
