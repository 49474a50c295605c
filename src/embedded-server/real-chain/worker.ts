import { isPending } from "../../contract/transaction/transaction-state.ts";
import type { Lifecycle, Step } from "../lifecycle/lifecycle.ts";
import { update } from "../state/state.ts";
import { noopFields } from "../transaction/fields.ts";
import type { WorkerName } from "../worker/faults.ts";
import { timestampText } from "../world.ts";
import { type ChainWorld, findJob, type Job, settle } from "./chain-world.ts";
import { check } from "./check.ts";
import { FailedCall } from "./node.ts";
import { buildGapFiller, prepare } from "./prepare.ts";
import { resend, submit } from "./submit.ts";

/** Milliseconds between looks at what is due. */
const POLL = 250;
/** Milliseconds until a step is tried again whose node did not respond (facts 16.6). */
const UNREADABLE = 10_000;

/** Does the work of the service's queues on a real chain, until the signal. */
export async function workOnChain(world: ChainWorld, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lifecycles = await world.store.read((state) => [...state.lifecycles.values()]);
    for (const lifecycle of lifecycles) if (!signal.aborted) await takeStep(world, lifecycle);
    await world.clock.sleep(POLL, signal);
  }
}

async function takeStep(world: ChainWorld, lifecycle: Lifecycle): Promise<void> {
  const job = await world.store.read((state) => findJob(state, lifecycle));
  const step = job && dueStep(world, job);
  if (!step) return;
  try {
    await step();
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    await settle(world, job, {}, postponed(lifecycle, world.clock.now()));
  }
}

function postponed({ again, ...rest }: Lifecycle, now: number): Lifecycle {
  const due = now + UNREADABLE;
  return {
    ...rest,
    due: Math.max(rest.due, due),
    ...(again && { again: { ...again, due: Math.max(again.due, due) } }),
  };
}

/** Returns the step that is due; undefined while nothing is, or the worker of the next step is dead. */
function dueStep(world: ChainWorld, job: Job): (() => Promise<void>) | undefined {
  const { lifecycle, record } = job;
  const { again, until } = lifecycle;
  const now = world.clock.now();
  const isDead = (name: WorkerName) => world.faults?.isDead(name) === true;
  if (until !== undefined && until <= now && isPending(record)) return () => expire(world, job);
  if (again && again.due <= now && isPending(record) && !isDead("submit")) return () => resend(world, job, again);
  const { worker, take } = STEPS[lifecycle.next];
  return lifecycle.due <= now && !isDead(worker) ? () => take(world, job) : undefined;
}

interface ChainStep {
  worker: WorkerName;
  take(world: ChainWorld, job: Job): Promise<void>;
}

const FINAL: ChainStep = { worker: "status", take: check };

const STEPS: Readonly<Record<Step, ChainStep>> = {
  sent: { worker: "prepare", take: prepare },
  submitted: { worker: "submit", take: submit },
  mined: FINAL,
  confirmed: FINAL,
  canceled: FINAL,
  failed: { worker: "status", take: fail },
  gap: { worker: "status", take: fillGap },
};

/** Milliseconds after a jammed transaction failed in which its nonce is filled (facts 16.3). */
const TO_FILLED = 67_000;

async function fail(world: ChainWorld, job: Job): Promise<void> {
  const { id, nonce } = job.record;
  const status_reason = job.lifecycle.why ?? "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  const gap: Lifecycle = { id, next: "gap", due: world.clock.now() + TO_FILLED };
  await settle(world, job, { status: "failed", status_reason }, typeof nonce === "number" ? gap : undefined);
}

/** Sends a transaction that does nothing with the nonce of one that was never sent (facts 13.3). */
async function fillGap(world: ChainWorld, job: Job): Promise<void> {
  const now = world.clock.now();
  const at = timestampText(now);
  const status_reason = `Gap-filling NOOP for nonce ${Number(job.record.nonce)}`;
  const shown = { status: "sent", status_reason, created_at: at, sent_at: null, is_canceled: false };
  const filler = await buildGapFiller(world, job, { ...noopFields(job.record), ...shown });
  await world.store.change((state) => {
    state.lifecycles.delete(job.record.id);
    update(state, filler, now);
    state.lifecycles.set(filler.id, { id: filler.id, next: "submitted", due: now });
  });
}

/** Expires a transaction: one that was sent becomes one that does nothing (facts 5.1). */
async function expire(world: ChainWorld, job: Job): Promise<void> {
  const { record, lifecycle } = job;
  const why = { status_reason: "Transaction is expired. Replacing with NOOP." };
  const { until: _, ...rest } = lifecycle;
  if (record.status === "pending") return await fail(world, { ...job, lifecycle: { ...rest, why: why.status_reason } });
  const again = { due: world.clock.now(), tries: 0, reprices: true };
  await settle(world, job, { ...noopFields(record), ...why }, { ...rest, next: "mined", again });
}
