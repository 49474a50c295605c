import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { contractCallOutcome } from "../chain/contracts.ts";
import { marketGasEstimate } from "../chain/market.ts";
import { chainNetwork, chainOfNetwork, chainRules } from "../chain/network-chains.ts";
import {
  type ChainRules,
  type SimChain,
  type SimMined,
  type SimTransaction,
  simChainHeight,
  simChainNonceAfter,
  simChainTime,
} from "../chain/sim-chain.ts";
import { digitSeed, hexDigits } from "../digits.ts";
import { demoBalances, demoRelayers } from "../seed/relayers.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, stateNetworkId } from "../state/state.ts";
import { servedKind } from "../transaction/lookup.ts";

/** Returns the balance of a relayer at a time, in its network's smallest unit. Only EVM networks have a chain here. */
export function servedBalance(state: ServerState, relayer: Resource, now: number): bigint {
  if (servedKind(relayer) !== "evm") return openingBalance(relayer);
  const height = simChainHeight(now, chainRules(state, chainNetwork(state, relayer)).blockTime);
  return openingBalance(relayer) + balanceChange(state, relayer, String(relayer.address), height);
}

export function servedBalanceAt(state: ServerState, relayer: Resource, address: string, block: number): bigint {
  const isOwner = (each: Resource) =>
    stateNetworkId(each) === stateNetworkId(relayer) && isSameHex(address, each.address);
  const owner = isOwner(relayer) ? relayer : state.relayers.held().find(isOwner);
  return (owner ? openingBalance(owner) : 0n) + balanceChange(state, relayer, address, block);
}

function balanceChange(state: ServerState, relayer: Resource, address: string, block: number): bigint {
  const network = chainNetwork(state, relayer);
  return balanceChangedByPayments(
    chainOfNetwork(state, network),
    chainRules(state, network),
    address.toLowerCase(),
    block,
  );
}

/** The opening balances that differ from the demo's: 3 ETH, 3 SOL, and 30 XLM. */
const USUAL: Record<NetworkKind, bigint> = { evm: 3n * 10n ** 18n, solana: 3n * 10n ** 9n, stellar: 3n * 10n ** 8n };

/** Returns an address's initial balance: 0 if its signer is `unfunded` (facts 16.5). */
function openingBalance(relayer: Resource): bigint {
  const { id, address, signer_id: signer } = relayer;
  if (/unfunded/i.test(String(signer))) return 0n;
  const seeded = demoRelayers.find((each) => each.id === id && each.address === address);
  return (seeded && demoBalances[seeded.id]) ?? USUAL[servedKind(relayer)];
}

/** The service only passes on the code (facts 15.5). */
export class NodeError extends Error {
  override readonly name = "NodeError";
  readonly code: number;

  constructor(code: number) {
    super(`RPC error occurred (code: ${code})`);
    this.code = code;
  }
}

export type NodeView = ReturnType<typeof servedChainView>;

export function servedChainView(network: string, chain: SimChain, rules: ChainRules, now: number) {
  return { network, chain, rules, height: simChainHeight(now, rules.blockTime), now };
}

/** Returns undefined for an unsent hash, and if another transaction took its nonce. */
export function findServedTransaction({ chain }: NodeView, hash: JsonValue | undefined): SimTransaction | undefined {
  return findServedMined(chain, hash) ?? chain.waiting.find((each) => isSameHex(hash, each.hash));
}

export function findServedMined(chain: SimChain, hash: JsonValue | undefined): SimMined | undefined {
  return chain.mined.find((each) => isSameHex(hash, each.hash));
}

/** The number of blocks whose state a node keeps (facts 15.6). */
const KEPT_STATES = 128;
/** Ethereum's error for a state or block that the node does not have. */
const NOT_KEPT = -32_000;
/** How many blocks `safe` and `finalized` lag: one and two epochs. */
const EPOCH = 32;

/** Returns the number of a block from a parameter; undefined if it does not exist yet. @throws NodeError */
export function servedBlockNumber({ height }: NodeView, block: JsonValue | undefined): number | undefined {
  if (block === undefined || block === null || block === "latest" || block === "pending") return height;
  if (block === "safe") return height - EPOCH;
  if (block === "finalized") return height - 2 * EPOCH;
  if (block === "earliest") return 0;
  const number = typeof block === "string" && block.startsWith("0x") ? wireAmount(block) : undefined;
  if (number === undefined) throw new NodeError(-32_602);
  return number <= BigInt(height) ? Number(number) : undefined;
}

/** Returns the number of a block whose state is requested. @throws NodeError if the node does not keep it */
export function servedStateBlock(view: NodeView, block: JsonValue | undefined): number {
  const number = servedBlockNumber(view, block);
  if (number === undefined || number <= view.height - KEPT_STATES) throw new NodeError(NOT_KEPT);
  return number;
}

export function transactionCount(view: NodeView, address: JsonValue | undefined, block: JsonValue | undefined): number {
  const from = String(address).toLowerCase();
  const nonce = simChainNonceAfter(view.chain, from, servedStateBlock(view, block));
  if (block !== "pending") return nonce;
  const waiting = new Set(view.chain.waiting.flatMap((each) => (each.from === from ? [each.nonce] : [])));
  let next = nonce;
  while (waiting.has(next)) next += 1;
  return next;
}

export function servedBlock(view: NodeView, number: number, isWhole: boolean): JsonObject {
  const own = view.chain.mined.filter(({ block }) => block === number);
  return {
    number: servedHex(BigInt(number)),
    hash: blockHash(view, number),
    parentHash: blockHash(view, number - 1),
    timestamp: servedHex(BigInt(Math.floor(simChainTime(number, view.rules.blockTime) / 1000))),
    baseFeePerGas: servedHex(servedBaseFee(view, number)),
    gasLimit: servedHex(30_000_000n),
    gasUsed: servedHex(own.reduce((sum, each) => sum + gasUsed(each), 0n)),
    transactions: own.map((each) => (isWhole ? servedTransaction(view, each) : each.hash)),
  };
}

export function servedBaseFee({ rules: { market, blockTime } }: NodeView, number: number): bigint {
  return market.at(simChainTime(number, blockTime)).baseFee;
}

function blockHash({ network, chain: { forks = [] } }: NodeView, number: number): string {
  const replaced = forks.filter((block) => block <= number).length;
  return `0x${hexDigits(digitSeed(`${network}/${number}${"'".repeat(replaced)}`), 64)}`;
}

export function servedTransaction(view: NodeView, transaction: SimTransaction | SimMined): JsonObject {
  const { hash, from, to, value, data, nonce, gas, fee, tip, isLegacy } = transaction;
  const block = "block" in transaction ? transaction.block : undefined;
  return {
    hash,
    from,
    to,
    value: servedHex(value),
    input: data,
    nonce: servedHex(BigInt(nonce)),
    gas: servedHex(gas),
    type: isLegacy ? "0x0" : "0x2",
    gasPrice: servedHex("block" in transaction ? pricePaid(view.rules, transaction) : fee),
    maxFeePerGas: isLegacy ? null : servedHex(fee),
    maxPriorityFeePerGas: isLegacy ? null : servedHex(tip),
    blockHash: block === undefined ? null : blockHash(view, block),
    blockNumber: block === undefined ? null : servedHex(BigInt(block)),
    transactionIndex: "block" in transaction ? indexInBlock(view, transaction) : null,
  };
}

export function servedReceipt(view: NodeView, transaction: SimMined): JsonObject {
  const { hash, from, to, block, isLegacy } = transaction;
  return {
    transactionHash: hash,
    transactionIndex: indexInBlock(view, transaction),
    blockHash: blockHash(view, block),
    blockNumber: servedHex(BigInt(block)),
    from,
    to,
    contractAddress: to === null ? `0x${hexDigits(digitSeed(hash), 40)}` : null,
    gasUsed: servedHex(gasUsed(transaction)),
    effectiveGasPrice: servedHex(pricePaid(view.rules, transaction)),
    logs: [],
    type: isLegacy ? "0x0" : "0x2",
    status: contractCallOutcome(transaction).isReverted ? "0x0" : "0x1",
  };
}

function indexInBlock({ chain }: NodeView, { hash, block }: SimMined): string {
  const own = chain.mined.filter((each) => each.block === block);
  return servedHex(BigInt(own.findIndex((each) => each.hash === hash)));
}

export function servedHex(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

export function isSameHex(requested: JsonValue | undefined, known: JsonValue | undefined): boolean {
  return typeof requested === "string" && typeof known === "string" && requested.toLowerCase() === known.toLowerCase();
}

/** Returns how much the balance of an address changed up to a block, in wei: by values, and by fees that it paid. */
function balanceChangedByPayments(chain: SimChain, rules: ChainRules, address: string, block: number): bigint {
  const since = chain.mined.filter((each) => each.block > chain.opening && each.block <= block);
  return since.reduce((sum, each) => sum + receivedBy(each, address) - paidBy(rules, each, address), 0n);
}

function receivedBy(transaction: SimMined, address: string): bigint {
  const isReceiver = transaction.to?.toLowerCase() === address && !contractCallOutcome(transaction).isReverted;
  return isReceiver ? transaction.value : 0n;
}

function paidBy(rules: ChainRules, transaction: SimMined, address: string): bigint {
  if (transaction.from !== address) return 0n;
  const value = contractCallOutcome(transaction).isReverted ? 0n : transaction.value;
  return value + gasUsed(transaction) * pricePaid(rules, transaction);
}

function pricePaid({ market, blockTime }: ChainRules, { fee, tip, isLegacy, block }: SimMined): bigint {
  if (isLegacy) return fee;
  const price = market.at(simChainTime(block, blockTime)).baseFee + tip;
  return price < fee ? price : fee;
}

/** Returns the gas that a transaction uses: nothing runs here, so it is the estimate. Unused gas costs nothing (facts 15.11). */
export function gasUsed({ gas, data }: Pick<SimTransaction, "gas" | "data">): bigint {
  const needed = BigInt(marketGasEstimate({ data }));
  return needed < gas ? needed : gas;
}
