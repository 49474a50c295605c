import { addressProblem } from "../../contract/address.ts";
import { wireAmount } from "../../contract/amount.ts";
import { formatAmount } from "../../contract/amount-in-unit.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import type { ChainToServe } from "../../contract/serving.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import { usualRaiseTime } from "../../contract/transaction/usual-time.ts";
import { RelayctlError } from "../../errors.ts";
import { marketGasEstimate, workerPriceTexts, workerSentPrices, workerSpeedPrices } from "../chain/market.ts";
import { type Handler, handlerJsonBody } from "../handler.ts";
import { buildStatus, maskedRpcError, nodeCallHandler } from "../handlers.ts";
import { type Attempt, type Lifecycle, type LifeStep, lifecycleFromSent, WORKERS } from "../lifecycle/lifecycle.ts";
import { NodeError } from "../node/served-chain.ts";
import { openzeppelinDialect } from "../openzeppelin/dialect.ts";
import { serviceHandlers } from "../openzeppelin/handlers.ts";
import { replacingTransactionBy } from "../openzeppelin/replace-transaction.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { createServerState, type ServerState, updateState } from "../state/state.ts";
import { noopTransactionFields } from "../transaction/fields.ts";
import { lookUpRelayer } from "../transaction/lookup.ts";
import type { WorkerName } from "../worker/faults.ts";
import { type ServerRandom, serverTime } from "../world.ts";
import {
  askRealNode,
  askRealNodeFor,
  type ChainWorld,
  type DueTask,
  FailedCall,
  findRealTask,
  nextRealNonce,
  type RealChain,
  readRealBlockTime,
  readRealMarket,
  readRealQuantity,
  readRealReceipt,
  settleReal,
} from "./chain-world.ts";
import { makeKey, openKey } from "./key.ts";

function readingHandlers(chain: RealChain) {
  const { node } = chain;
  const readBalance = (address: unknown) =>
    askRealNodeFor(readRealQuantity(node, "eth_getBalance", String(address), "latest"));
  const getStatus: Handler = async ({ ids: [id = ""], store }) => {
    const balance = await readBalance(chain.key.address);
    return store.read((state) => {
      const nonce = String(nextRealNonce(state, chain, id));
      return { data: buildStatus(state, lookUpRelayer(state, id), balance, { nonce }) };
    });
  };
  const getBalance: Handler = async ({ ids: [id = ""], store }) => {
    const { address } = await store.read((state) => lookUpRelayer(state, id));
    return { data: { balance: await readBalance(address), unit: "wei" } };
  };
  return { "relayers.status": getStatus, "relayers.balance": getBalance, "relayers.rpc": callNode(chain) };
}

/** Passes a request on, and hides the node's error messages (facts 15.5). */
function callNode({ node }: RealChain): Handler {
  return nodeCallHandler(async ({ method, params }, { store }) => {
    const failure = await store.read(({ faults }) => faults?.nodeCode(method));
    if (failure !== undefined) return maskedRpcError(new NodeError(failure).message);
    try {
      return { result: await askRealNode(node, method, ...params) };
    } catch (error) {
      if (!(error instanceof FailedCall)) throw error;
      if (error.code === undefined) throw new Refusal(500, `Transport error: ${error.message}`);
      return maskedRpcError(new NodeError(error.code).message);
    }
  });
}

function signingHandlers({ key }: RealChain) {
  const signing =
    (checked: Handler, sign: (body: JsonObject) => JsonObject): Handler =>
    async (call) => {
      await checked(call);
      const body = handlerJsonBody(call.request);
      return { data: sign(objectIn(body)) };
    };
  return {
    "relayers.sign": signing(serviceHandlers["relayers.sign"], ({ message }) => key.signMessage(String(message))),
    "relayers.sign-typed-data": signing(
      serviceHandlers["relayers.sign-typed-data"],
      ({ domain_separator: domain, hash_struct_message: struct }) => key.signTypedData(String(domain), String(struct)),
    ),
  };
}

function replaceOn({ node, key, chainId }: RealChain): Handler {
  return replacingTransactionBy(async () => {
    const [market, balance] = await askRealNodeFor(
      Promise.all([readRealMarket(node), readRealQuantity(node, "eth_getBalance", key.address, "latest")]),
    );
    return {
      market,
      balance,
      // Without a nonce there is nothing to sign yet.
      signed: (_, record) => (record.nonce === null ? {} : key.signRecord(record, chainId).members),
    };
  });
}

function limitValue(maxValue: bigint, handler: Handler): Handler {
  return async (call) => {
    const body = handlerJsonBody(call.request);
    const value = wireAmount(objectIn(body).value);
    if (value !== undefined && value > maxValue) {
      throw new Refusal(
        400,
        `The value is above the limit of this server, ${formatAmount(maxValue, "wei")} (--max-value)`,
      );
    }
    return await handler(call);
  };
}

const oneRelayer: Handler = async () => {
  throw new Refusal(400, "This server has one relayer and one key (relayctl serve --node)");
};

const LOCAL = "evm-local";
/** Milliseconds between blocks, if the chain has too few of them. */
const USUAL_BLOCK_TIME = 12_000;

interface LocalChain {
  address: string;
  chainId: number;
  /** A key in it is masked in responses. */
  url: string;
  /** Undefined if the chain has too few blocks. */
  blockTime: number | undefined;
}

function localState({ address, chainId, url, blockTime = USUAL_BLOCK_TIME }: LocalChain): ServerState {
  const rpc_urls = [{ url, weight: 100 }];
  return createServerState({
    networks: [
      {
        id: `evm:${LOCAL}`,
        name: LOCAL,
        network_type: "evm",
        rpc_urls,
        explorer_urls: [],
        average_blocktime_ms: Math.round(blockTime),
        is_testnet: true,
        chain_id: chainId,
        required_confirmations: 1,
        features: ["eip1559"],
        symbol: "ETH",
      },
    ],
    signers: [{ id: `${LOCAL}-signer`, type: "local", config: {} }],
    relayers: [
      {
        id: LOCAL,
        name: "Local",
        network: LOCAL,
        network_type: "evm",
        address,
        signer_id: `${LOCAL}-signer`,
        paused: false,
        system_disabled: false,
        policies: { eip1559_pricing: true, min_balance: 0 },
      },
    ],
  });
}

/** Opens a relayer on a real chain, with its transactions in memory. @throws RelayctlError network if the node does not respond */
export async function openRealChain(chain: ChainToServe, random: ServerRandom) {
  const { node, url, maxValue } = chain;
  const key = openKey(await readKey(chain));
  const [chainId, sent, blockTime] = await Promise.all([
    readRealQuantity(node, "eth_chainId"),
    readRealQuantity(node, "eth_getTransactionCount", key.address, "latest"),
    readRealBlockTime(node),
  ]).catch((error: unknown) => {
    if (!(error instanceof FailedCall)) throw error;
    const hint = "relayctl serve --help";
    throw new RelayctlError("network", `${node.name}: ${error.message}`, { cause: error, hint });
  });
  const real: RealChain = { node, key, chainId: Number(chainId), firstNonce: Number(sent) };
  await chain.opened({ address: key.address, chainId: real.chainId });
  return {
    state: localState({ address: key.address, chainId: real.chainId, url, blockTime }),
    dialect: {
      ...openzeppelinDialect(random),
      handlers: {
        ...serviceHandlers,
        ...readingHandlers(real),
        ...signingHandlers(real),
        "tx.send": limitValue(maxValue, serviceHandlers["tx.send"]),
        "tx.replace": limitValue(maxValue, replaceOn(real)),
        "relayers.create": oneRelayer,
        "signers.create": oneRelayer,
      },
    },
    /** Does the work of the service's queues, until the signal. */
    work: (world: Omit<ChainWorld, keyof RealChain | "broadcast">, signal: AbortSignal) =>
      workOnChain({ ...world, ...real, broadcast: new Map() }, signal),
  };
}

async function readKey({ keyFile }: ChainToServe): Promise<`0x${string}`> {
  const kept = await keyFile?.load();
  if (kept) return kept;
  const made = makeKey();
  await keyFile?.save(made);
  return made;
}

type Broadcast = "accepted" | "underpriced" | "too_low" | "refused" | "lost";

const KNOWN = /already known|already imported|known transaction/i;
const TOO_LOW = /nonce (?:is )?too low/i;
const UNDERPRICED = /underpriced/i;

/** Milliseconds until an unaccepted transaction is resent (facts 5.1). */
const NOT_SENT = 25_000;

/** Broadcasts a signed transaction. If the node refuses it, or its response is lost, it stays `sent` (facts 16.4). */
async function submitTask(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, lifecycle } = job;
  const outcome = await broadcastSigned(world, record);
  const now = world.clock.now();
  if (outcome === "too_low") return void (await recoverTask(world, job));
  if (outcome === "refused") return await settleReal(world, job, {}, { ...lifecycle, due: now + NOT_SENT });
  if (outcome === "lost")
    return await settleReal(world, job, {}, { ...lifecycle, next: "mined", due: noticedFrom(lifecycle, now) });
  const twice = world.faults?.sendsTwice ? await sendTwice(world, job) : {};
  await settleReal(world, job, { ...toSubmitted(record, now), ...twice }, followTask(job, now));
}

function toSubmitted({ sent_at }: Resource, now: number): JsonObject {
  return { status: "submitted", sent_at: sent_at ?? serverTime(now) };
}

/** The first status check comes 8 to 12 s later, and a resubmission after minutes, which double each time (facts 5.1). */
function followTask({ record, lifecycle }: DueTask, now: number, tries = 0): Lifecycle {
  const again = { due: now + usualRaiseTime(record.speed) * 2 ** tries, tries, reprices: true };
  return { ...lifecycle, next: "mined", due: noticedFrom(lifecycle, now), again };
}

function noticedFrom({ notices = 0 }: Lifecycle, now: number): number {
  return now + notices;
}

async function broadcastSigned(world: ChainWorld, record: Resource): Promise<Broadcast> {
  const { node, key, chainId, faults } = world;
  const { members, bytes } = key.signRecord(record, chainId);
  if (faults?.nodeCode("eth_sendRawTransaction") !== undefined) return "refused";
  try {
    await askRealNode(node, "eth_sendRawTransaction", bytes);
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
  const nonce = await world.store.read((state) => nextRealNonce(state, world, relayer.id));
  const second = { ...record, nonce };
  const { members } = world.key.signRecord(second, world.chainId);
  return (await broadcastSigned(world, second)) === "accepted" ? { nonce, ...members } : {};
}

/** Sends a transaction again, as the record shows it or priced again: a replacement, a cancellation, or a waiting one. */
async function resendTask(world: ChainWorld, job: DueTask, attempt: Attempt): Promise<void> {
  const { record, lifecycle } = job;
  const { again: _, ...rest } = lifecycle;
  const now = world.clock.now();
  // The status check notices that it is on the chain.
  if (await readRealReceipt(world.node, record.hash))
    return await settleReal(world, job, {}, { ...rest, next: "mined" });
  const version = attempt.reprices ? await repriceTask(world, job) : record;
  const following = followTask(job, now, attempt.tries + 1);
  // The worker sends nothing, and reports nothing (facts 15.1).
  if (!version) return await settleReal(world, job, {}, following);
  const outcome = await broadcastSigned(world, version);
  if (outcome === "too_low") return void (await recoverTask(world, job));
  if (outcome === "underpriced") return await settleReal(world, job, toSubmitted(record, now), following);
  if (outcome === "refused") return await settleReal(world, job, {}, following);
  await settleReal(world, job, { ...version, ...toSubmitted(record, now) }, following);
}

async function repriceTask({ node, key, chainId }: ChainWorld, { record, relayer, network }: DueTask) {
  const speed = typeof record.speed === "string" ? record.speed : "fast";
  const prices = workerSentPrices({ market: await readRealMarket(node), network, relayer, old: record, speed });
  if (!prices) return undefined;
  const priced = { ...record, ...workerPriceTexts(prices) };
  return { ...priced, ...key.signRecord(priced, chainId).members };
}

/** The service shows a broadcast hash that was mined, whatever the record says (facts 16.1, 13.1). */
async function recoverTask(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, lifecycle } = job;
  const { again: _, ...rest } = lifecycle;
  for (const hash of [...(world.broadcast.get(record.id) ?? [])].reverse()) {
    if (!(await readRealReceipt(world.node, hash))) continue;
    return await settleReal(
      world,
      job,
      { hash, status: "submitted", sent_at: record.sent_at ?? serverTime(world.clock.now()) },
      { ...rest, next: "mined", due: world.clock.now() },
    );
  }
  const count = await readRealQuantity(world.node, "eth_getTransactionCount", String(record.from), "latest");
  const status_reason = `Nonce ${Number(record.nonce)} consumed externally (on-chain nonce: ${count}). No matching transaction hash found on-chain.`;
  await settleReal(world, job, { status: "failed", status_reason }, undefined);
}

/** Milliseconds between checks for due work. */
const POLL = 250;
/** Milliseconds until a step is tried again whose node did not respond (facts 16.6). */
const UNREADABLE = 10_000;

async function workOnChain(world: ChainWorld, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lifecycles = await world.store.read((state) => [...state.lifecycles.values()]);
    for (const lifecycle of lifecycles) if (!signal.aborted) await takeStep(world, lifecycle);
    await world.clock.sleep(POLL, signal);
  }
}

async function takeStep(world: ChainWorld, lifecycle: Lifecycle): Promise<void> {
  const job = await world.store.read((state) => findRealTask(state, lifecycle));
  const step = job && dueStep(world, job);
  if (!step) return;
  try {
    await step();
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    await settleReal(world, job, {}, postpone(lifecycle, world.clock.now()));
  }
}

function postpone({ again, ...rest }: Lifecycle, now: number): Lifecycle {
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
  if (until !== undefined && until <= now && isPending(record)) return () => expireTask(world, job);
  if (again && again.due <= now && isPending(record) && !isDead("submit")) return () => resendTask(world, job, again);
  const isDue = lifecycle.due <= now && !isDead(WORKERS[lifecycle.next]);
  return isDue ? () => STEPS[lifecycle.next](world, job) : undefined;
}

const STEPS: Readonly<Record<LifeStep, (world: ChainWorld, job: DueTask) => Promise<void>>> = {
  sent: prepareTask,
  submitted: submitTask,
  mined: checkTask,
  confirmed: checkTask,
  canceled: checkTask,
  failed: failTask,
  gap: fillGap,
};

/** Milliseconds until a jammed transaction's nonce is filled (facts 16.3). */
const TO_FILLED = 67_000;

async function failTask(world: ChainWorld, job: DueTask): Promise<void> {
  const { id, nonce } = job.record;
  const status_reason = job.lifecycle.why ?? "Transaction in Pending state for over 2 minutes. Replacing with NOOP.";
  const gap: Lifecycle = { id, next: "gap", due: world.clock.now() + TO_FILLED };
  await settleReal(world, job, { status: "failed", status_reason }, typeof nonce === "number" ? gap : undefined);
}

/** Sends a no-op with the nonce of a transaction that was never sent (facts 13.3). */
async function fillGap(world: ChainWorld, job: DueTask): Promise<void> {
  const now = world.clock.now();
  const at = serverTime(now);
  const status_reason = `Gap-filling NOOP for nonce ${Number(job.record.nonce)}`;
  const shown = { status: "sent", status_reason, created_at: at, sent_at: null, is_canceled: false };
  const filler = await buildGapFiller(world, job, { ...noopTransactionFields(job.record), ...shown });
  await world.store.change((state) => {
    state.lifecycles.delete(job.record.id);
    updateState(state, filler, now);
    state.lifecycles.set(filler.id, { id: filler.id, next: "submitted", due: now });
  });
}

/** Expires a transaction: a sent transaction becomes a no-op (facts 5.1). */
async function expireTask(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, lifecycle } = job;
  const why = { status_reason: "Transaction is expired. Replacing with NOOP." };
  const { until: _, ...rest } = lifecycle;
  if (record.status === "pending")
    return await failTask(world, { ...job, lifecycle: { ...rest, why: why.status_reason } });
  const again = { due: world.clock.now(), tries: 0, reprices: true };
  await settleReal(world, job, { ...noopTransactionFields(record), ...why }, { ...rest, next: "mined", again });
}

/** Looks for the record's hash on the chain, and for no other version (facts 13.1). */
async function checkTask(world: ChainWorld, job: DueTask): Promise<void> {
  const { record, network, lifecycle } = job;
  const [receipt, head] = await Promise.all([
    readRealReceipt(world.node, record.hash),
    readRealQuantity(world.node, "eth_blockNumber"),
  ]);
  const now = world.clock.now();
  const later = { ...lifecycle, due: noticedFrom(lifecycle, now) };
  // A reorganization may have taken it off the chain.
  if (!receipt) return await settleReal(world, job, record.status === "mined" ? { status: "submitted" } : {}, later);
  const status_reason = "Transaction reverted on-chain (receipt status: failed)";
  if (receipt.isReverted) return await settleReal(world, job, { status: "failed", status_reason }, undefined);
  const deepest = receipt.block + BigInt(Number(network.required_confirmations ?? 1));
  if (head < deepest)
    return await settleReal(world, job, { status: "mined", sent_at: record.sent_at ?? serverTime(now) }, later);
  const isCanceled = record.is_canceled === true && (await doesNothing(world, record.hash));
  const changes = isCanceled ? { status: "canceled" } : { status: "confirmed", confirmed_at: serverTime(now) };
  await settleReal(world, job, changes, undefined);
}

/** Returns whether a no-op was mined: a cancellation. */
async function doesNothing({ node }: ChainWorld, hash: JsonValue | undefined): Promise<boolean> {
  const mined = await askRealNode(node, "eth_getTransactionByHash", String(hash));
  if (!isJsonObject(mined)) return false;
  return mined.to === mined.from && wireAmount(mined.value) === 0n && mined.input === "0x";
}

/** Prices and signs a transaction, which takes a nonce even if it can't be signed (facts 13.3). */
async function prepareTask(world: ChainWorld, { record, relayer, network, lifecycle }: DueTask): Promise<void> {
  const { node, key, chainId, store, clock } = world;
  const prices = workerSpeedPrices(record, { market: await readRealMarket(node), network, relayer });
  const gas_limit = record.gas_limit ?? (await estimateGas(node, record));
  await store.change((state) => {
    if (state.transactions.get(record.id) !== record) return;
    const priced = { ...record, ...prices, gas_limit, nonce: nextRealNonce(state, world, relayer.id) };
    const isJammed = typeof record.to === "string" && addressProblem(record.to) !== undefined;
    const prepared = isJammed ? priced : { ...priced, status: "sent", ...key.signRecord(priced, chainId).members };
    if (isJammed) state.transactions.put(prepared);
    else updateState(state, prepared, clock.now());
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
    const gas = wireAmount(await askRealNode(node, "eth_estimateGas", call as JsonObject));
    return gas === undefined ? marketGasEstimate(record) : Number((gas * 11n) / 10n);
  } catch (error) {
    if (error instanceof FailedCall && error.code !== undefined) return marketGasEstimate(record);
    throw error;
  }
}

/** Returns a record that does nothing but use the nonce of a transaction that was never sent (facts 13.3). */
async function buildGapFiller(world: ChainWorld, { record, relayer, network }: DueTask, noop: JsonObject) {
  const { node, key, chainId, random } = world;
  const prices = workerSpeedPrices(
    { id: record.id, speed: "fast" },
    { market: await readRealMarket(node), network, relayer },
  );
  const filler = { ...record, ...noop, ...prices, id: random.uuid() };
  return { ...filler, ...key.signRecord(filler, chainId).members };
}
