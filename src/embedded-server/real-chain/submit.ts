import type { JsonObject } from "../../contract/json.ts";
import type { Attempt, Lifecycle } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import { priceTexts, sentPrices } from "../worker/price.ts";
import { timestampText } from "../world.ts";
import { type ChainWorld, getNextNonce, type Job, settle } from "./chain-world.ts";
import { askNode, FailedCall, readMarket, readQuantity, readReceipt } from "./node.ts";

type Broadcast = "accepted" | "underpriced" | "too_low" | "refused" | "lost";

const KNOWN = /already known|already imported|known transaction/i;
const TOO_LOW = /nonce (?:is )?too low/i;
const UNDERPRICED = /underpriced/i;

/** Milliseconds until what was not accepted is sent again (facts 5.1). */
const NOT_SENT = 25_000;
/** Milliseconds until a transaction is sent again at a higher price, which doubles each time (facts 5.1). */
const RESUBMIT: Readonly<Record<string, number>> = {
  safeLow: 600_000,
  average: 300_000,
  fast: 180_000,
  fastest: 120_000,
};

/** Broadcasts a signed transaction. One that the node refuses, or whose response is lost, stays `sent` (facts 16.4). */
export async function submit(world: ChainWorld, job: Job): Promise<void> {
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

/** The first status check comes 8 to 12 s later, and a resubmission after minutes (facts 5.1). */
function followed({ record, lifecycle }: Job, now: number, tries = 0): Lifecycle {
  const wait = RESUBMIT[String(record.speed)] ?? 180_000;
  const again = { due: now + wait * 2 ** tries, tries, reprices: true };
  return { ...lifecycle, next: "mined", due: noticedFrom(lifecycle, now), again };
}

export function noticedFrom({ notices = 0 }: Lifecycle, now: number): number {
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
    // The service takes this refusal for a transaction that the node has already (facts 15.2).
    if (UNDERPRICED.test(error.message)) return "underpriced";
    if (!KNOWN.test(error.message)) return "refused";
  }
  const sent = world.broadcast.get(record.id) ?? [];
  world.broadcast.set(record.id, [...sent, String(members.hash)]);
  return faults?.losesResponse() ? "lost" : "accepted";
}

/** Sends a transaction a second time, with the next nonce, and returns what the record then shows (facts 15.9). */
async function sendTwice(world: ChainWorld, { record, relayer }: Job): Promise<JsonObject> {
  const nonce = await world.store.read((state) => getNextNonce(state, world, relayer.id));
  const second = { ...record, nonce };
  const { members } = world.key.signRecord(second, world.chainId);
  return (await broadcast(world, second)) === "accepted" ? { nonce, ...members } : {};
}

/** Sends a transaction again, as the record shows it or priced again: a replacement, a cancellation, or one that waits. */
export async function resend(world: ChainWorld, job: Job, attempt: Attempt): Promise<void> {
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

async function repriced(
  { node, key, chainId }: ChainWorld,
  { record, relayer, network }: Job,
): Promise<Resource | undefined> {
  const speed = typeof record.speed === "string" ? record.speed : "fast";
  const prices = sentPrices({ market: await readMarket(node), network, relayer, old: record, speed });
  if (!prices) return undefined;
  const priced = { ...record, ...priceTexts(prices) };
  return { ...priced, ...key.signRecord(priced, chainId).members };
}

/**
 * Ends a record whose nonce is used. The service looks for the hashes that it broadcast, and shows the one that is on the
 * chain, whatever the record says otherwise (facts 16.1); if none is, the record fails (facts 13.1).
 */
async function recover(world: ChainWorld, job: Job): Promise<void> {
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
