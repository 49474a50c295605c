import { hexAddress } from "../../chain/evm/quantity.ts";
import { readEvmBlock, readNonce } from "../../chain/evm/read-evm.ts";
import { type NetworkFacts, networkFacts, networkReplacesUnraised, UNKNOWN } from "../../chain/network.ts";
import { nodeWithChainIdentity } from "../../chain/node/chain-identity.ts";
import { computeNodeDelay } from "../../chain/node/late-node.ts";
import {
  type ChainNode,
  type NodeFault,
  type NodeFaultKind,
  nodeFailure,
  nodeSiblingsIn,
  nodeWithAsk,
  nodeWithFallback,
  type Reading,
  relayerNode,
} from "../../chain/node/node.ts";
import { diagnoseEvidence } from "../../chain/queue/diagnose.ts";
import type { QueueEvidence } from "../../chain/queue/diagnosis.ts";
import { NO_EVM_ADDRESS, queuedRelayer, readQueue, readUsedBy } from "../../chain/queue/read-queue.ts";
import { slotsOf } from "../../chain/queue/slots.ts";
import { mostFeePerGas } from "../../chain/replacement/fees.ts";
import { readPredictedMarket } from "../../chain/replacement/predict.ts";
import { readPastBalances } from "../../chain/runway/past-balances.ts";
import { type Runway, runwayOf } from "../../chain/runway/runway.ts";
import { wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { policyCap } from "../../contract/policy.ts";
import type { Network } from "../../contract/resources/network.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { Fact, GasPrices, Missing, NodeFacts, Queue, Records, RelayerFacts } from "../facts.ts";
import {
  createDoctorRation,
  isRationNodeFailure,
  isRationNodeFault,
  isRationRefusal,
  missingRationedFact,
  type Ration,
  type Rationed,
  type Rationing,
  rationedFact,
  SPENT,
  whyRationMissing,
} from "./ration.ts";

type SharedReadings = Map<string, Promise<Reading<JsonValue>>>;

/** Methods about a network, not about one of its accounts. */
const OF_NETWORK = ["eth_chainId", "eth_getBlockByNumber", "eth_feeHistory", "eth_gasPrice"];
/** Faults of one request, which say nothing about the next. */
const OF_REQUEST: readonly NodeFaultKind[] = ["limited", "refused", "exhausted"];
/** Faults after which a node is not asked again: it would only take time. */
const SILENT: readonly NodeFaultKind[] = ["unreachable", "wrong_chain"];

/** Asks nothing twice, or of a silent node: relayers of a network share, and the balance is the service's. */
function frugalNode(
  node: ChainNode,
  { shared, balance }: { shared: SharedReadings; balance: bigint | undefined },
): ChainNode {
  const own: SharedReadings = new Map();
  let silent: Reading<JsonValue> | undefined;

  async function once(method: string, params: Parameters<ChainNode["ask"]>[1]): Promise<Reading<JsonValue>> {
    const known = OF_NETWORK.includes(method) ? shared : own;
    const key = `${method} ${writeJson(params as JsonValue)}`;
    const asked = known.get(key) ?? node.ask(method, params);
    known.set(key, asked);
    const reading = await asked;
    if ("fault" in reading && OF_REQUEST.includes(reading.fault.kind)) known.delete(key);
    if ("fault" in reading && SILENT.includes(reading.fault.kind)) silent = reading;
    return reading;
  }

  return nodeWithAsk(node, async (method, params) => {
    const isNewest = Array.isArray(params) && params[1] === "latest";
    if (method === "eth_getBalance" && isNewest && balance !== undefined) return { value: `0x${balance.toString(16)}` };
    return silent ?? (await once(method, params));
  });
}

/** The records that are read first, or in total if more are pending. */
const FEW = 100;
const MANY = 1000;

async function readRecords(ration: Ration, { id }: Relayer, status: JsonObject | undefined): Promise<Fact<Records>> {
  const read = (perPage: number) =>
    ration.ask(async (client) => {
      for await (const { items, total } of client.tx.list(id, { page: 1, perPage }))
        return { newest: items, isWhole: total !== undefined && items.length >= total };
      return { newest: [], isWhole: true };
    });
  const few = await read(FEW);
  if (!("value" in few)) return missingRationedFact(few);
  const pending = wireAmount(status?.pending_transactions_count) ?? 0n;
  if (few.value.isWhole || pending <= BigInt(few.value.newest.filter(isPending).length)) return few;
  const many = await read(MANY);
  return "value" in many ? many : few;
}

interface RelayerSource extends Rationing {
  session: Pick<Session, "briefly" | "remaining" | "ownNode">;
  relayer: Relayer;
  network: Fact<Network | undefined>;
  all: readonly Relayer[];
  shared: Map<string, SharedReadings>;
  isDemo: boolean;
  now: number;
}

export type RelayerRead = Omit<RelayerFacts["read"], "list" | "pause" | "accepted">;
type ChainRead = Pick<RelayerRead, "node" | "prices" | "queue" | "compared" | "runway">;

/** Reads a relayer in at most eight requests. A failed part does not hide the others. */
export async function readRelayer(source: RelayerSource): Promise<RelayerRead> {
  const { relayer, network } = source;
  const ration = createDoctorRation(source);
  const asked = await ration.ask(async (client) => (await client.relayers.status(relayer.id)).data);
  const data = "value" in asked ? asked.value : undefined;
  const records = await readRecords(ration, relayer, data);
  const known = { network, status: rationedFact(asked), records };
  if (relayer.network_type !== "evm")
    return { ...known, ...unreadRelayerChain({ skipped: "only EVM is read" }), node: nodeByStatus(asked) };
  const facts = "value" in network && network.value ? networkFacts(network.value) : UNKNOWN;
  const opened = await openNode(source, ration, facts, data);
  if ("skipped" in opened) return { ...known, ...unreadRelayerChain(opened), node: nodeByStatus(asked, opened) };
  return { ...known, ...(await readChain({ ...source, ...known, ...opened, asked, ration, facts })) };
}

export function unreadRelayerChain(fact: Missing): ChainRead {
  return { node: fact, prices: fact, queue: fact, compared: fact, runway: fact };
}

type ChainSource = RelayerSource &
  Pick<RelayerRead, "status" | "records"> & {
    asked: Rationed<JsonObject>;
    ration: Ration;
    node: ChainNode;
    isOwn: boolean;
    facts: NetworkFacts;
  };

async function readChain(source: ChainSource): Promise<ChainRead> {
  const { node, facts, now, relayer, asked } = source;
  const block = await readEvmBlock(node, "latest", now);
  if ("fault" in block)
    return { ...unreadRelayerChain(silentFact(block.fault)), node: silenceFact(block.fault, source) };
  // The service may have found a node silent that responds to others (facts 13.10).
  const silence = "failure" in asked && isRationNodeFailure(asked.failure) ? asked.failure.message : undefined;
  const isOwn = source.isOwn && silence === undefined;
  const found = { isOwn, silence, wrongChain: undefined, blockTime: facts.blockTime };
  const prices = await readPrices(node, facts, relayer);
  const delay = computeNodeDelay(block.value, facts, now);
  const queue = await readQueueFact(source, delay);
  return {
    node: { value: { ...found, delay } },
    ...{ prices, queue, compared: comparedFact(queue) },
    runway: await readRunway(source),
  };
}

async function readRunway({ node, facts, now, relayer, status }: ChainSource): Promise<Fact<Runway>> {
  const balance = "value" in status ? wireAmount(status.value.balance) : undefined;
  const address = hexAddress(relayer.address);
  if (balance === undefined || address === undefined)
    return { ...("skipped" in status && status), skipped: "the balance could not be read" };
  const past = await readPastBalances(node, { address, blockTime: facts.blockTime, now });
  const runway = runwayOf([...past, { time: now, balance }]);
  return runway ? { value: runway } : { skipped: "not known yet: too few older balances can be read" };
}

/** Returns a node's state from the status, for which the service asks it for the balance (facts 13.10). */
function nodeByStatus(asked: Rationed<JsonObject>, otherwise?: Missing): Fact<NodeFacts> {
  const found = { wrongChain: undefined, delay: undefined, blockTime: UNKNOWN.blockTime };
  if ("failure" in asked && isRationNodeFailure(asked.failure))
    return { value: { silence: asked.failure.message, ...found } };
  return otherwise ?? ("value" in asked ? { value: { silence: undefined, ...found } } : missingRationedFact(asked));
}

function silenceFact(fault: NodeFault, { asked, facts, isOwn }: ChainSource): Fact<NodeFacts> {
  const found = { isOwn, silence: undefined, wrongChain: undefined, delay: undefined, blockTime: facts.blockTime };
  const { kind, words } = fault;
  if (kind === "unreachable" && isRationNodeFault(fault)) return { value: { ...found, silence: words } };
  if (kind === "wrong_chain") return { value: { ...found, wrongChain: words } };
  return nodeByStatus(asked, silentFact(fault));
}

/** Another relayer of the network is asked for a paused or disabled one (facts 15.7). */
async function openNode(
  { session, relayer, all, shared }: RelayerSource,
  ration: Ration,
  { chainId }: NetworkFacts,
  status: JsonObject | undefined,
): Promise<{ node: ChainNode; isOwn: boolean } | { skipped: string }> {
  const { id } = relayer;
  const name = typeof relayer.network === "string" ? relayer.network : undefined;
  const isRefused = relayer.paused === true || relayer.system_disabled === true;
  const hasOwn = Array.isArray(relayer.custom_rpc_urls) && relayer.custom_rpc_urls.length > 0;
  const own = await session.ownNode(name);
  const [first, ...others] = isRefused ? nodeSiblingsIn(all, { id, network: name }) : [id];
  if (!own && first === undefined) return { skipped: NO_SIBLING };
  const through = (relayerId: string) => ration.node((client) => relayerNode(client.relayers, relayerId));
  const node = own ?? nodeWithFallback(through(first ?? id), async () => others.map(through));
  const key = hasOwn && !isRefused ? `relayer ${id}` : `network ${name}`;
  const readings: SharedReadings = shared.get(key) ?? new Map();
  shared.set(key, readings);
  const frugal = frugalNode(node, { shared: readings, balance: wireAmount(status?.balance) });
  return { node: chainId === undefined ? frugal : nodeWithChainIdentity(frugal, chainId), isOwn: own !== undefined };
}

const NO_SIBLING = "the relayer refuses requests to its node, and no other relayer of its network can be asked";

async function readPrices(node: ChainNode, facts: NetworkFacts, relayer: Relayer): Promise<Fact<GasPrices>> {
  const read = await readPredictedMarket(node, facts, relayer);
  return "fault" in read ? silentFact(read.fault) : { value: { fast: mostFeePerGas(read.value.market("fast")) } };
}

async function readQueueFact(source: ChainSource, delay: number | undefined): Promise<Fact<Queue>> {
  const { relayer, node, facts, records, status, isDemo, now } = source;
  if ("skipped" in records) return records;
  const address = hexAddress(relayer.address);
  if (address === undefined) return { skipped: NO_EVM_ADDRESS.fault.words };
  const nonce = await readNonce(node, address, "latest");
  if ("fault" in nonce) return silentFact(nonce.fault);
  const cap = policyCap(relayer);
  const data = "value" in status ? status.value : undefined;
  const { newest } = records.value;
  const counted = await counterAt(source, wireAmount(data?.nonce), nonce.value);
  if ("skipped" in counted) return counted;
  const counter = counted.value;
  const slots = slotsOf({ records: newest, chain: { nonce: nonce.value } });
  const known = {
    relayer: queuedRelayer(relayer.id, relayer),
    ...{ counter, cap, now, isUnraised: networkReplacesUnraised(facts) },
  };
  // With only late records, if any, the node's waiting ones don't matter.
  if ([slots.open, slots.unnumbered, slots.ended].every(({ length }) => length === 0)) {
    const chain = { nonce: nonce.value, balance: wireAmount(data?.balance), delay };
    const usedBy = await readUsedBy(node, newest, chain);
    return queueFact({ ...known, records: slots.used, chain: { ...chain, usedBy } });
  }
  const { evidence, fault, missing } = await readQueue({
    client: rationedClient(source, data && { ...data, nonce: counter ?? null }),
    relayerId: relayer.id,
    chain: { node, network: facts, relayer, cap },
    listRecords: async (isWanted) => newest.filter((record) => isWanted(record)).reverse(),
    isDemo,
    now,
  });
  if (fault) return silentFact(fault);
  const skipped = missing.find(isRationRefusal);
  return skipped === undefined ? queueFact(evidence) : missingRationedFact({ skipped });
}

/** Reads it again if it is below the chain's nonce: a busy relayer may have sent something since. */
async function counterAt(
  { relayer, ration }: ChainSource,
  counter: bigint | undefined,
  nonce: bigint,
): Promise<Fact<bigint | undefined>> {
  if (counter === undefined || counter >= nonce) return { value: counter };
  const asked = await ration.ask(async (client) => (await client.relayers.status(relayer.id)).data);
  if (!("value" in asked)) return missingRationedFact(asked);
  const again = wireAmount(asked.value.nonce);
  return { value: again !== undefined && again > nonce ? nonce : again };
}

function queueFact(evidence: QueueEvidence): Fact<Queue> {
  return { value: { evidence, diagnosis: diagnoseEvidence(evidence) } };
}

/** The records whose nonces have known users are compared first (facts 15.8). */
function comparedFact(queue: Fact<Queue>): Fact<true> {
  if ("skipped" in queue) return queue;
  const { evidence } = queue.value;
  const { usedBy } = evidence.chain ?? {};
  const isCompared = slotsOf(evidence).used.every(({ id }) => usedBy?.has(id));
  return isCompared ? { value: true } : { skipped: SPENT };
}

function rationedClient(
  { ration }: ChainSource,
  status: JsonObject | undefined,
): Parameters<typeof readQueue>[0]["client"] {
  return {
    relayers: {
      async status() {
        if (status) return { data: status, body: new Uint8Array(), unconfirmed: [] };
        throw new RelayctlError("server", "the status was not read");
      },
    },
    tx: {
      async getByNonce(id, nonce) {
        const asked = await ration.ask((client) => client.tx.getByNonce(id, nonce));
        if ("value" in asked) return asked.value;
        throw "failure" in asked ? asked.failure : new RelayctlError("server", whyRationMissing(asked));
      },
    },
  };
}

/** Returns the same for a node's missing value. */
function silentFact(fault: NodeFault): Missing {
  const failure = nodeFailure(fault);
  return { skipped: fault.words, ...(failure && { failure }) };
}
