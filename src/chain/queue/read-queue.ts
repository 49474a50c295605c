import type { Client } from "../../client/client.ts";
import { knownSymbol, wireAmount } from "../../contract/amount.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isFinal, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { ifReadable } from "../../errors.ts";
import type { FeeHistory, Speed } from "../evm/fee-history.ts";
import { hexAddress, hexHash, parseQuantity } from "../evm/quantity.ts";
import { readBalance, readEvmBlock, readEvmBySenderAndNonce, readEvmTransaction, readNonce } from "../evm/read-evm.ts";
import { latestExaminedTime } from "../examine.ts";
import { networkReplacesUnraised } from "../network.ts";
import { computeNodeDelay, findLateNodeSetting } from "../node/late-node.ts";
import { type ChainNode, createMissing, type Missing, type NodeFault, readFromNode } from "../node/node.ts";
import type { Chain } from "../open-chain.ts";
import { type Fees, feesInPool, feesOf } from "../replacement/fees.ts";
import { readPredictedMarket } from "../replacement/predict.ts";
import type { PassedOver, QueueChain, QueueEvidence } from "./diagnosis.ts";
import { headSentAt } from "./head-cause.ts";
import { findHeadSlot, provesSlotNonce, slotNonce, slotsOf } from "./slots.ts";

const MOST_COMPARED = 5;

/** Compares the first pending records whose nonces the chain has used with the chain (facts 15.8). */
export async function readUsedBy(
  node: ChainNode,
  records: readonly Transaction[],
  chain: QueueChain,
): Promise<QueueChain["usedBy"]> {
  const usedBy = new Map<string, "record" | "other">();
  for (const { id, hash } of slotsOf({ records, chain }).used.slice(0, MOST_COMPARED)) {
    const own = hexHash(hash);
    const found = own === undefined ? undefined : await readEvmTransaction(node, own);
    if (found && "value" in found) usedBy.set(id, found.value?.block === undefined ? "other" : "record");
  }
  return usedBy;
}

interface HeadSource {
  client: { tx: Pick<Client["tx"], "getByNonce"> };
  relayerId: string;
  node: ChainNode;
  address: string;
  records: readonly Transaction[];
  known: Missing["known"];
}

/** How often the next nonce is corrected because its transaction was mined meanwhile. */
const MOST_MINED = 8;

/** Reads what waits with the account's next nonce. A mined transaction with that nonce shows that it is used. */
async function readHead(source: HeadSource, seen: QueueChain) {
  let { records } = source;
  let chain = seen;
  for (let tries = 0; tries < MOST_MINED; tries++) {
    const head = findHeadSlot({ chain }, slotsOf({ records, chain }));
    if (head && !head.record) {
      // The list did not show it: it may have got the nonce meanwhile.
      const found = (await ifReadable(source.client.tx.getByNonce(source.relayerId, String(chain.nonce))))?.data;
      if (found) records = [...records.filter(({ id }) => id !== found.id), found];
    }
    const record = findHeadSlot({ chain }, slotsOf({ records, chain }))?.record;
    const waiting = await readWaiting(source, chain.nonce, record);
    if (waiting !== "mined") return { records, chain: { ...chain, waiting } };
    chain = { ...chain, nonce: chain.nonce + 1n };
  }
  return { records, chain };
}

/** Reads what waits at the node with a nonce: under the record's hash, or else from the node's index (facts 16.7). */
async function readWaiting({ node, address, known }: HeadSource, nonce: bigint, record: Transaction | undefined) {
  const hash = record && slotNonce(record) === nonce ? hexHash(record.hash) : undefined;
  const own = hash === undefined ? undefined : known(await readEvmTransaction(node, hash));
  if (own?.block !== undefined) return own.nonce === nonce ? "mined" : { knowsRecord: undefined, fees: undefined };
  if (own) return { knowsRecord: true, fees: feesInPool(own) };
  const indexed = await readEvmBySenderAndNonce(node, address, nonce);
  const other = "value" in indexed ? indexed.value : null;
  if (other?.block !== undefined) return "mined";
  return { knowsRecord: own === null ? false : undefined, fees: other ? feesInPool(other) : undefined };
}

/** The share of its gas above which a block counts as full. */
const FULL = 0.95;
/** Fewer blocks prove nothing: each may have been built before the transaction arrived. */
const LEAST_BLOCKS = 3;

/** @property took undefined if all of the blocks were empty */
type ComparedTips = Omit<PassedOver, "took" | "isSuggested"> & { took: bigint | undefined };

/** Returns what recent blocks with room took in place of a transaction, if all of them took only higher tips. */
export function recentQueueTips(history: FeeHistory, fees: Fees): ComparedTips | undefined {
  const { max_fee_per_gas: most, max_priority_fee_per_gas: tip } = fees;
  if (most === undefined || tip === undefined) return undefined;
  const roomy = history.blocks.flatMap(({ baseFee, used }, index) => {
    const offered = most - baseFee < tip ? most - baseFee : tip;
    return used === undefined || used > FULL ? [] : [{ used, offered, took: history.tips.safeLow[index] ?? 0n }];
  });
  const isCause = roomy.every(({ used, offered, took }) => offered >= 0n && (took > offered || used === 0));
  const taken = roomy.filter(({ used }) => used > 0).map(({ took }) => took);
  const [first] = taken.sort((one, other) => (one < other ? -1 : 1));
  if (!isCause || roomy.length < LEAST_BLOCKS) return undefined;
  return { blocks: roomy.length, offered: tip, took: first };
}

/** Empty blocks show no tip: then the node's suggestion counts (facts 18.6). Sends at most two requests. */
export async function readPassedOver(
  node: ChainNode,
  { records, chain, now }: Pick<QueueEvidence, "records" | "now"> & { chain: QueueChain },
  history: FeeHistory | undefined,
): Promise<PassedOver | undefined> {
  const record: Transaction | undefined = findHeadSlot({ chain }, slotsOf({ records, chain }))?.record;
  const fees = chain.waiting?.fees ?? (record && feesOf(record));
  const found = history && fees && recentQueueTips(history, fees);
  if (!found || !record || history.oldest === undefined) return undefined;
  const oldest = await readEvmBlock(node, history.oldest, now);
  if ("fault" in oldest || oldest.value.time < headSentAt(record, now)) return undefined;
  const { took } = found;
  if (took !== undefined) return { ...found, took };
  const suggested = await readFromNode(node, "eth_maxPriorityFeePerGas", [], parseQuantity);
  const isLow = "value" in suggested && suggested.value > found.offered;
  return isLow ? { ...found, took: suggested.value, isSuggested: true } : undefined;
}

export function queuedRelayer(id: string, relayer: Relayer | undefined): QueueEvidence["relayer"] {
  const { address, paused, system_disabled } = relayer ?? {};
  return { id, address: hexAddress(address), isPaused: paused === true, isDisabled: system_disabled === true };
}

export interface QueueSource {
  client: { relayers: Pick<Client["relayers"], "status">; tx: Pick<Client["tx"], "getByNonce"> };
  relayerId: string;
  chain: Chain;
  listRecords(isWanted: (record: Transaction) => boolean): Promise<readonly Transaction[]>;
  speed?: Speed | undefined;
  isDemo?: boolean;
  now: number;
}

export interface QueueReading {
  evidence: QueueEvidence;
  fault: NodeFault | undefined;
  missing: readonly string[];
}

/** Reads everything about an EVM relayer's unmined transactions. Sends at most seventeen requests to the node. */
export async function readQueue(source: QueueSource): Promise<QueueReading> {
  const { chain, relayerId, now, speed } = source;
  const { relayer, network, cap, node } = chain;
  const { missing, known } = createMissing();
  const address = hexAddress(relayer?.address);
  // Read first, so that no record is missed whose nonce is used while the list is read.
  const first = address === undefined ? NO_EVM_ADDRESS : await readNonce(node, address, "latest");
  const from = "value" in first ? first.value : undefined;
  const records = await source.listRecords(selectUnused(from));
  const facts: Omit<QueueEvidence, "records" | "chain" | "now"> = {
    relayer: queuedRelayer(relayerId, relayer),
    cap,
    isUnraised: networkReplacesUnraised(network),
    isUndescribed: network.chainId === undefined,
    nodeSetting: relayer && !chain.isOwn ? findLateNodeSetting(relayer) : undefined,
    symbol: network.symbol ?? knownSymbol(relayer?.network),
    isDemo: source.isDemo,
    speed,
  };
  if ("fault" in first || address === undefined) {
    const evidence = { ...facts, records, chain: undefined, now: latestExaminedTime(now, records) };
    return { evidence, fault: "fault" in first ? first.fault : undefined, missing };
  }
  const account = known(await readNonce(node, address, "latest")) ?? first.value;
  const block = known(await readEvmBlock(node, "latest", latestExaminedTime(now, records)));
  const pooled = known(await readNonce(node, address, "pending"));
  const balance = known(await readBalance(node, address));
  const { history, ...prices } = known(await readPredictedMarket(node, network, relayer)) ?? {};
  const seen: QueueChain = {
    ...{ nonce: account, pooled, balance },
    ...prices,
    ...(block?.baseFee !== undefined && { baseFee: block.baseFee }),
    ...(block && { delay: computeNodeDelay(block, network, now) }),
  };
  const counter = wireAmount((await ifReadable(source.client.relayers.status(relayerId)))?.data.nonce);
  const time = Math.max(latestExaminedTime(now, records), block?.time ?? 0);
  const headed = await readHead({ client: source.client, relayerId, node, address, records, known }, seen);
  const usedBy = await readUsedBy(node, headed.records, headed.chain);
  const passedOver = await readPassedOver(node, { ...headed, now: time }, history);
  const evidence = { ...facts, ...headed, chain: { ...headed.chain, usedBy, passedOver }, counter, now: time };
  return { evidence, fault: undefined, missing };
}

export const NO_EVM_ADDRESS = {
  fault: { kind: "failed", words: "the service does not show an EVM address of the relayer" },
} as const;

/** Without the chain, also selects the confirmed records with the highest nonces, which prove lower nonces used. */
function selectUnused(from: bigint | undefined): (record: Transaction) => boolean {
  let proven = -1n;
  return (record) => {
    if (!isFinal(txStatus(record))) return true;
    const nonce = slotNonce(record);
    if (nonce === undefined || from !== undefined) return nonce !== undefined && from !== undefined && nonce >= from;
    if (!provesSlotNonce(record) || nonce <= proven) return false;
    proven = nonce;
    return true;
  };
}
