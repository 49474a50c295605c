import { addressProblem } from "../../contract/address.ts";
import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import { isPending } from "../../contract/transaction/transaction-state.ts";
import { estimatedGas } from "../chain/market.ts";
import { type Lifecycle, lifecycleFromSent, type Step, WORKERS } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import { update } from "../state/state.ts";
import { noopFields } from "../transaction/fields.ts";
import type { WorkerName } from "../worker/faults.ts";
import { speedPrices } from "../worker/price.ts";
import { timestampText } from "../world.ts";
import { type ChainWorld, findJob, getNextNonce, type Job, settle } from "./chain-world.ts";
import { askNode, FailedCall, readMarket, readQuantity, readReceipt } from "./node.ts";
import { noticedFrom, resend, submit } from "./submit.ts";

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
  const isDue = lifecycle.due <= now && !isDead(WORKERS[lifecycle.next]);
  return isDue ? () => STEPS[lifecycle.next](world, job) : undefined;
}

const STEPS: Readonly<Record<Step, (world: ChainWorld, job: Job) => Promise<void>>> = {
  sent: prepare,
  submitted: submit,
  mined: check,
  confirmed: check,
  canceled: check,
  failed: fail,
  gap: fillGap,
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

/** Looks for the record's hash on the chain, and for no other version (facts 13.1). */
async function check(world: ChainWorld, job: Job): Promise<void> {
  const { record, network, lifecycle } = job;
  const [receipt, head] = await Promise.all([
    readReceipt(world.node, record.hash),
    readQuantity(world.node, "eth_blockNumber"),
  ]);
  const now = world.clock.now();
  const later = { ...lifecycle, due: noticedFrom(lifecycle, now) };
  // A reorganization may have taken it off the chain.
  if (!receipt) return await settle(world, job, record.status === "mined" ? { status: "submitted" } : {}, later);
  const status_reason = "Transaction reverted on-chain (receipt status: failed)";
  if (receipt.isReverted) return await settle(world, job, { status: "failed", status_reason }, undefined);
  const deepest = receipt.block + BigInt(Number(network.required_confirmations ?? 1));
  if (head < deepest)
    return await settle(world, job, { status: "mined", sent_at: record.sent_at ?? timestampText(now) }, later);
  const isCanceled = record.is_canceled === true && (await doesNothing(world, record.hash));
  const changes = isCanceled ? { status: "canceled" } : { status: "confirmed", confirmed_at: timestampText(now) };
  await settle(world, job, changes, undefined);
}

/** Returns whether what was mined is a cancellation: nothing to its own sender. */
async function doesNothing({ node }: ChainWorld, hash: JsonValue | undefined): Promise<boolean> {
  const mined = await askNode(node, "eth_getTransactionByHash", String(hash));
  if (!isJsonObject(mined)) return false;
  return mined.to === mined.from && wireAmount(mined.value) === 0n && mined.input === "0x";
}

/** Prices and signs a transaction, which takes a nonce even if it cannot be signed (facts 13.3). */
async function prepare(world: ChainWorld, { record, relayer, network, lifecycle }: Job): Promise<void> {
  const { node, key, chainId, store, clock } = world;
  const prices = speedPrices(record, { market: await readMarket(node), network, relayer });
  const gas_limit = record.gas_limit ?? (await estimateGas(node, record));
  await store.change((state) => {
    if (state.transactions.get(record.id) !== record) return;
    const priced = { ...record, ...prices, gas_limit, nonce: getNextNonce(state, world, relayer.id) };
    const isJammed = typeof record.to === "string" && addressProblem(record.to) !== undefined;
    const prepared = isJammed ? priced : { ...priced, status: "sent", ...key.signRecord(priced, chainId).members };
    if (isJammed) state.transactions.put(prepared);
    else update(state, prepared, clock.now());
    const following = lifecycleFromSent(lifecycle, prepared, clock.now());
    state.lifecycles.set(record.id, isJammed ? following : { ...following, due: clock.now() });
  });
}

/** Returns a tenth more than the node's estimate; without one, what the service assumes (facts 5.3). */
async function estimateGas(node: JsonRpcNode, record: Resource): Promise<JsonValue> {
  const { from, to, value, data } = record;
  const call = {
    from,
    value: `0x${(wireAmount(value) ?? 0n).toString(16)}`,
    ...(to !== null && { to }),
    ...(data !== null && { data }),
  };
  try {
    const gas = wireAmount(await askNode(node, "eth_estimateGas", call as JsonObject));
    return gas === undefined ? estimatedGas(record) : Number((gas * 11n) / 10n);
  } catch (error) {
    if (error instanceof FailedCall && error.code !== undefined) return estimatedGas(record);
    throw error;
  }
}

/** Returns a record that does nothing but use the nonce of a transaction that was never sent (facts 13.3). */
async function buildGapFiller(
  world: ChainWorld,
  { record, relayer, network }: Job,
  noop: JsonObject,
): Promise<Resource> {
  const { node, key, chainId, random } = world;
  const prices = speedPrices({ id: record.id, speed: "fast" }, { market: await readMarket(node), network, relayer });
  const filler = { ...record, ...noop, ...prices, id: random.uuid() };
  return { ...filler, ...key.signRecord(filler, chainId).members };
}
