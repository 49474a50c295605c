import { type Chance, createChance } from "../../safety/fuzz/chance.ts";
import { type Chain, createChain, sign } from "./chain.ts";
import { createDeceptions, type Deceptions } from "./deceptions.ts";
import { createDisk, type Disk } from "./disk.ts";
import { createFleet, type Fleet, type ServiceRelayer } from "./fleet.ts";
import { createNode, type Node } from "./node.ts";
import type { Pricing } from "./pricing.ts";
import { createService, type Service } from "./service.ts";
import { createTimeline, START, type Timeline } from "./timeline.ts";
import { createWorker, type Worker } from "./worker.ts";

export interface WorldOptions {
  seed: number;
  /** Milliseconds between blocks. */
  blockTime: number;
  confirmations: number;
  cap: bigint | undefined;
  isTagged: boolean;
  /** Blocks whose state the node keeps. */
  state: number;
  isIndexed: boolean;
  /** Milliseconds after which final records are deleted. */
  retention: number;
  /** Whether clocks, lists, responses, and the disk may mislead the program, by chance. */
  isDeceived: boolean;
  /** How often, in thousandths, something happens by chance. */
  thousandths: {
    /** Of blocks with several versions, those whose miner holds an earlier one. */
    minesEarlier: number;
    reverts: number;
    losesReply: number;
    sendsTwice: number;
  };
}

export const GWEI = 1_000_000_000n;
export const OWN = `0x${"70".repeat(20)}`;
const SIBLING = `0x${"71".repeat(20)}`;
/** Nonces of each account that were used before the life. */
export const EARLIER = 5;

/** An operator's world: one service with two relayers on one network. */
export interface ModelWorld {
  options: WorldOptions;
  timeline: Timeline;
  chance: Chance;
  chain: Chain;
  node: Node;
  pricing: Pricing;
  worker: Worker;
  service: Service;
  fleet: Fleet;
  /** The relayer that a life is about. */
  relayer: ServiceRelayer;
  disk: Disk;
  deceptions: Deceptions;
  /** Programs that run now, and how many things each waits for. */
  running: Set<{ readonly waits: number }>;
  isNodeReached: boolean;
  /** Whether the relayers have enough for any transaction. */
  canPay: boolean;
  /** Which version a miner holds if not the newest, where there are so many. */
  minesEarlier(versions: number): number | undefined;
  mine(): void;
  /** Prints what happens, for someone who follows the life. */
  note(words: string): void;
  /** Sends a transaction with the relayer's key and next nonce from outside the service (facts 15.9). */
  useElsewhere(): void;
}

/** A world in which nothing happens by chance. */
export const CALM: WorldOptions = {
  seed: 1,
  blockTime: 2_000,
  confirmations: 1,
  cap: undefined,
  isTagged: false,
  state: 128,
  isIndexed: true,
  retention: 4 * 3_600_000,
  isDeceived: false,
  thousandths: { minesEarlier: 0, reverts: 0, losesReply: 0, sendsTwice: 0 },
};

export function createWorld(options: WorldOptions): ModelWorld {
  const { seed, blockTime, confirmations, thousandths } = options;
  const chance = createChance(seed);
  const timeline = createTimeline();
  const happens = (times: number) => times > 0 && chance.below(1_000) < times;
  const time = Math.floor(START / 1000);
  const chain = createChain(
    { chainId: 31_337, height: 1_000, blockTime, time, baseFee: 10n * GWEI, tip: GWEI, earlier: EARLIER },
    {
      minesEarlier: (versions) => world.minesEarlier(versions),
      reverts: () => happens(thousandths.reverts),
    },
  );
  const fleet = createFleet({ "evm-1": OWN, "evm-2": SIBLING }, capped(options.cap));
  const [relayer] = fleet.relayers as [ServiceRelayer];
  const pricing: Pricing = {
    chain,
    isTagged: options.isTagged,
    get cap() {
      const { gas_price_cap: cap } = relayer.settings.policies;
      return typeof cap === "number" ? BigInt(cap) : undefined;
    },
  };
  const balance = () => (world.canPay ? 10n ** 20n : 5n);
  const node = createNode(chain, { ...options, balance });
  const reachesNode = () => world.isNodeReached;
  const losesReply = () => happens(thousandths.losesReply);
  const worker = createWorker({
    ...{ timeline, chain, pricing, chance, confirmations, losesReply, reachesNode, retention: options.retention },
    canPay: () => world.canPay,
    sendsTwice: () => happens(thousandths.sendsTwice),
  });
  const deceptions = createDeceptions(timeline, seed, options.isDeceived, START);
  let ids = 0;
  const uuid = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`;
  const service = createService({
    timeline,
    worker,
    node,
    pricing,
    fleet,
    confirmations,
    reachesNode,
    balance,
    uuid,
    order: deceptions.order,
  });
  const world: ModelWorld = {
    options,
    timeline,
    chance,
    chain,
    node,
    pricing,
    worker,
    service,
    fleet,
    relayer,
    disk: createDisk(timeline, seed, options.isDeceived),
    deceptions,
    running: new Set(),
    isNodeReached: true,
    canPay: true,
    minesEarlier: (versions) => (happens(thousandths.minesEarlier) ? chance.below(versions - 1) : undefined),
    note() {},
    mine: () => chain.mine(Math.floor((START + timeline.now) / 1000)),
    useElsewhere() {
      const nonce = chain.nonceAt(OWN, chain.head.number);
      const price = { maxFee: 100n * chain.baseFee, tip: 100n * chain.tip };
      chain.receive(sign({ from: OWN, nonce, to: SIBLING, value: 7n, data: "0x", gas: 21_000, ...price }));
    },
  };
  return world;
}

function capped(cap: bigint | undefined): { gas_price_cap?: number } {
  return cap === undefined ? {} : { gas_price_cap: Number(cap) };
}

/** Lets blocks be mined from now on, at intervals between half and one and a half of the usual one. */
export function keepMining({ timeline, chance, options: { blockTime }, mine }: ModelWorld, until: number): void {
  const next = () => {
    mine();
    if (timeline.now < until) timeline.after(blockTime / 2 + chance.below(blockTime), next);
  };
  timeline.after(chance.below(blockTime), next);
}
