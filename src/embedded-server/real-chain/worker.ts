import { addressProblem } from "../../contract/address.ts";
import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import { raisedAfter } from "../../contract/transaction/usual-time.ts";
import { estimatedGas } from "../chain/market.ts";
import { type Attempt, type Lifecycle, type LifeStep, lifecycleFromSent, WORKERS } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import { update } from "../state/state.ts";
import { noopFields } from "../transaction/fields.ts";
import type { WorkerName } from "../worker/faults.ts";
import { priceTexts, sentPrices, speedPrices } from "../worker/price.ts";
import { timestampText } from "../world.ts";
import { type ChainWorld, type DueTask, findJob, getNextNonce, settle } from "./chain-world.ts";
import { askNode, FailedCall, readMarket, readQuantity, readReceipt } from "./node.ts";

type Broadcast = "accepted" | "underpriced" | "too_low" | "refused" | "lost";

const KNOWN = /already known|already imported|known transaction/i;
const TOO_LOW = /nonce (?:is )?too low/i;
const UNDERPRICED = /underpriced/i;

/** Milliseconds until an unaccepted transaction is resent (facts 5.1). */
const NOT_SENT = 25_000;

/** Broadcasts a signed transaction. If the node refuses it, or its response is lost, it stays `sent` (facts 16.4). */
async function submit(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, lifecycle } = job;
  const outcome = await broadcast(world, record);
  const now = world.clock.now();
  if (outcome === "too_low") return void (await recover(world, job));
  if (outcome === "refused") return await settle(world, job, {}, { ...lifecycle, due: now + NOT_SENT });
  if (outcome === "lost")
    return await settle(world, job, {}, { ...lifecycle, next: "mined", due: noticedFrom(lifecycle, now) });
  const twice = world.faults?.sendsTwice ? await sendTwice(world, job) : {};
  await settle(world, job, { ...submitted(record, now), ...twice }, followed(job, now));
}

function submitted({ sent_at }: Resource, now: number): JsonObject {
  return { status: "submitted", sent_at: sent_at ?? timestampText(now) };
}

/** The first status check comes 8 to 12 s later, and a resubmission after minutes, which double each time (facts 5.1). */
function followed({ record, lifecycle }: DueTask, now: number, tries = 0): Lifecycle {
  const again = { due: now + raisedAfter(record.speed) * 2 ** tries, tries, reprices: true };
  return { ...lifecycle, next: "mined", due: noticedFrom(lifecycle, now), again };
}

function noticedFrom({ notices = 0 }: Lifecycle, now: number): number {
  return now + notices;
}

async function broadcast(world: ChainWorld, record: Resource): Promise<Broadcast> {
  const { node, key, chainId, faults } = world;
  const { members, bytes } = key.signRecord(record, chainId);
  if (faults?.nodeCode("eth_sendRawTransaction") !== undefined) return "refused";
  try {
    await askNode(node, "eth_sendRawTransaction", bytes);
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    if (TOO_LOW.test(error.message)) return "too_low";
    // The service takes this refusal for a transaction that the node already has (facts 15.2).
    if (UNDERPRICED.test(error.message)) return "underpriced";
    if (!KNOWN.test(error.message)) return "refused";
  }
  const sent = world.broadcast.get(record.id) ?? [];
  world.broadcast.set(record.id, [...sent, String(members.hash)]);
  return faults?.losesResponse() ? "lost" : "accepted";
}

/** Resends a transaction with the next nonce, and returns what the record then shows (facts 15.9). */
async function sendTwice(world: ChainWorld, { record, relayer }: DueTask): Promise<JsonObject> {
  const nonce = await world.store.read((state) => getNextNonce(state, world, relayer.id));
  const second = { ...record, nonce };
  const { members } = world.key.signRecord(second, world.chainId);
  return (await broadcast(world, second)) === "accepted" ? { nonce, ...members } : {};
}

/** Sends a transaction again, as the record shows it or priced again: a replacement, a cancellation, or a waiting one. */
async function resend(world: ChainWorld, job: DueTask, attempt: Attempt): Promise<void> {
  const { record, lifecycle } = job;
  const { again: _, ...rest } = lifecycle;
  const now = world.clock.now();
  // The status check notices that it is on the chain.
  if (await readReceipt(world.node, record.hash)) return await settle(world, job, {}, { ...rest, next: "mined" });
  const version = attempt.reprices ? await repriced(world, job) : record;
  const following = followed(job, now, attempt.tries + 1);
  // The worker sends nothing, and reports nothing (facts 15.1).
  if (!version) return await settle(world, job, {}, following);
  const outcome = await broadcast(world, version);
  if (outcome === "too_low") return void (await recover(world, job));
  if (outcome === "underpriced") return await settle(world, job, submitted(record, now), following);
  if (outcome === "refused") return await settle(world, job, {}, following);
  await settle(world, job, { ...version, ...submitted(record, now) }, following);
}

async function repriced({ node, key, chainId }: ChainWorld, { record, relayer, network }: DueTask) {
  const speed = typeof record.speed === "string" ? record.speed : "fast";
  const prices = sentPrices({ market: await readMarket(node), network, relayer, old: record, speed });
  if (!prices) return undefined;
  const priced = { ...record, ...priceTexts(prices) };
  return { ...priced, ...key.signRecord(priced, chainId).members };
}

/** The service shows a broadcast hash that was mined, whatever the record says (facts 16.1, 13.1). */
async function recover(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, lifecycle } = job;
  const { again: _, ...rest } = lifecycle;
  for (const hash of [...(world.broadcast.get(record.id) ?? [])].reverse()) {
    if (!(await readReceipt(world.node, hash))) continue;
    return await settle(
      world,
      job,
      { hash, status: "submitted", sent_at: record.sent_at ?? timestampText(world.clock.now()) },
      { ...rest, next: "mined", due: world.clock.now() },
    );
  }
  const count = await readQuantity(world.node, "eth_getTransactionCount", String(record.from), "latest");
  const status_reason = `Nonce ${Number(record.nonce)} consumed externally (on-chain nonce: ${count}). No matching transaction hash found on-chain.`;
  await settle(world, job, { status: "failed", status_reason }, undefined);
}

/** Milliseconds between checks for due work. */
const POLL = 250;
/** Milliseconds until a step is tried again whose node did not respond (facts 16.6). */
const UNREADABLE = 10_000;

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

function dueStep(world: ChainWorld, job: DueTask): (() => Promise<void>) | undefined {
  const { lifecycle, record } = job;
  const { again, until } = lifecycle;
  const now = world.clock.now();
  const isDead = (name: WorkerName) => world.faults?.isDead(name) === true;
  if (until !== undefined && until <= now && isPending(record)) return () => expire(world, job);
  if (again && again.due <= now && isPending(record) && !isDead("submit")) return () => resend(world, job, again);
  const isDue = lifecycle.due <= now && !isDead(WORKERS[lifecycle.next]);
  return isDue ? () => STEPS[lifecycle.next](world, job) : undefined;
}

const STEPS: Readonly<Record<LifeStep, (world: ChainWorld, job: DueTask) => Promise<void>>> = {
  sent: prepare,
  submitted: submit,
  mined: check,
  confirmed: check,
  canceled: check,
  failed: fail,
  gap: fillGap,
};

/** Milliseconds until a jammed transaction's nonce is filled (facts 16.3). */
const TO_FILLED = 67_000;

async function fail(world: ChainWorld, job: DueTask): Promise<void> {
  const { id, nonce } = job.record;
  const status_reason = job.lifecycle.why ?? "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  const gap: Lifecycle = { id, next: "gap", due: world.clock.now() + TO_FILLED };
  await settle(world, job, { status: "failed", status_reason }, typeof nonce === "number" ? gap : undefined);
}

/** Sends a no-op with the nonce of a transaction that was never sent (facts 13.3). */
async function fillGap(world: ChainWorld, job: DueTask): Promise<void> {
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

/** Expires a transaction: a sent transaction becomes a no-op (facts 5.1). */
async function expire(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, lifecycle } = job;
  const why = { status_reason: "Transaction is expired. Replacing with NOOP." };
  const { until: _, ...rest } = lifecycle;
  if (record.status === "pending") return await fail(world, { ...job, lifecycle: { ...rest, why: why.status_reason } });
  const again = { due: world.clock.now(), tries: 0, reprices: true };
  await settle(world, job, { ...noopFields(record), ...why }, { ...rest, next: "mined", again });
}

/** Looks for the record's hash on the chain, and for no other version (facts 13.1). */
async function check(world: ChainWorld, job: DueTask): Promise<void> {
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

/** Returns whether a no-op was mined: a cancellation. */
async function doesNothing({ node }: ChainWorld, hash: JsonValue | undefined): Promise<boolean> {
  const mined = await askNode(node, "eth_getTransactionByHash", String(hash));
  if (!isJsonObject(mined)) return false;
  return mined.to === mined.from && wireAmount(mined.value) === 0n && mined.input === "0x";
}

/** Prices and signs a transaction, which takes a nonce even if it can't be signed (facts 13.3). */
async function prepare(world: ChainWorld, { record, relayer, network, lifecycle }: DueTask): Promise<void> {
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

/** Returns a tenth more than the node's estimate, or the service's assumption (facts 5.3). */
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
async function buildGapFiller(world: ChainWorld, { record, relayer, network }: DueTask, noop: JsonObject) {
  const { node, key, chainId, random } = world;
  const prices = speedPrices({ id: record.id, speed: "fast" }, { market: await readMarket(node), network, relayer });
  const filler = { ...record, ...noop, ...prices, id: random.uuid() };
  return { ...filler, ...key.signRecord(filler, chainId).members };
}
