import { hash } from "node:crypto";

/** What a transaction does and costs, as it is signed. Addresses are in lowercase; `to` is null for a creation. */
export interface Unsigned {
  from: string;
  nonce: number;
  to: string | null;
  value: bigint;
  data: string;
  gas: number;
  maxFee: bigint;
  tip: bigint;
}

export interface Signed extends Unsigned {
  hash: string;
}

/** The same content has the same hash. */
export function sign(unsigned: Unsigned): Signed {
  const { from, nonce, to, value, data, gas, maxFee, tip } = unsigned;
  const text = [from, nonce, to, value, data, gas, maxFee, tip].join(" ");
  return { ...unsigned, hash: `0x${hash("sha256", text)}` };
}

export interface Mined {
  transaction: Signed;
  block: number;
  round: number;
  reverted: boolean;
}

export interface Block {
  number: number;
  /** How often this number had another block before: a reorganization gives it a new hash. */
  round: number;
  /** Seconds since 1970. */
  time: number;
  baseFee: bigint;
  transactions: Mined[];
}

/** What a node says to a transaction that it is sent. */
type Reception = "accepted" | "known" | "nonce too low" | "underpriced" | "below the base fee";

export interface ChainChance {
  /** Whether the next miner still holds an earlier version than the node does. */
  minesEarlier(versions: number): number | undefined;
  /** Whether an execution fails. */
  reverts(transaction: Signed): boolean;
}

export interface ChainOptions {
  chainId: number;
  /** The number of the newest block at the start; those before it are empty. */
  height: number;
  /** Milliseconds between blocks. */
  blockTime: number;
  /** Seconds since 1970 of the newest block at the start. */
  time: number;
  baseFee: bigint;
  /** The tip that everyone pays. */
  tip: bigint;
  /** The lowest tip that miners accept (default: any). */
  leastTip?: bigint | undefined;
  /** Transactions of each account before the first block that is kept. */
  earlier: number;
}

/** A chain: blocks, the pool of its nodes, and the nonces of its accounts. */
export interface Chain extends ChainOptions {
  /** Blocks that were mined in this life, oldest first. */
  readonly blocks: readonly Block[];
  readonly head: { number: number; time: number; baseFee: bigint };
  /** What everything that was ever received looks like, by its hash. */
  readonly received: ReadonlyMap<string, Signed>;
  /** What happened to a nonce, oldest first: what was mined, or undefined when a reorganisation undid it. */
  readonly changes: readonly { nonce: number; from: string; mined: Mined | undefined }[];
  receive: (transaction: Signed) => Reception;
  mine: (time: number) => void;
  /** Replaces the newest blocks by one more than there were; the miners of those may hold other versions. */
  reorganize(depth: number): void;
  nonceAt(from: string, block: number): number;
  minedBy(from: string, nonce: number): Mined | undefined;
  mined(hash: string): Mined | undefined;
  /** What the node's pool holds for a nonce: the newest version that it accepted. */
  waiting(from: string, nonce: number): Signed | undefined;
  forget(from: string, nonce: number): void;
}

/** The least that a node asks of a replacement: a tenth more of both members (facts 15.2). */
function isRaised(old: Signed, next: Signed): boolean {
  const pays = (price: bigint, before: bigint) => price > before && price >= before + before / 10n;
  return pays(next.maxFee, old.maxFee) && pays(next.tip, old.tip);
}

export function createChain(options: ChainOptions, chance: ChainChance): Chain {
  const blocks: Block[] = [];
  let rounds = 0;
  const received = new Map<string, Signed>();
  const byHash = new Map<string, Mined>();
  const changes: { nonce: number; from: string; mined: Mined | undefined }[] = [];
  /** The versions that wait, by account and nonce, oldest first; a node shows the newest only. */
  const pool = new Map<string, Signed[]>();
  const slot = (from: string, nonce: number) => `${from} ${nonce}`;
  const used = new Map<string, Mined>();
  const nonces = new Map<string, number>();
  const next = (from: string) => nonces.get(from) ?? options.earlier;

  function miners(versions: readonly Signed[]): Signed | undefined {
    const earlier = versions.length > 1 ? chance.minesEarlier(versions.length) : undefined;
    return versions[earlier ?? versions.length - 1];
  }

  function include(block: Block): void {
    if (pool.size === 0) return;
    for (const [key, versions] of [...pool].sort(([, [one]], [, [other]]) => (one?.nonce ?? 0) - (other?.nonce ?? 0))) {
      const transaction = miners(versions);
      if (!transaction || transaction.nonce !== next(transaction.from)) continue;
      if (transaction.maxFee < block.baseFee || transaction.tip < (chain.leastTip ?? 0n)) continue;
      const mined = { transaction, block: block.number, round: block.round, reverted: chance.reverts(transaction) };
      block.transactions.push(mined);
      byHash.set(transaction.hash, mined);
      used.set(key, mined);
      nonces.set(transaction.from, transaction.nonce + 1);
      changes.push({ nonce: transaction.nonce, from: transaction.from, mined });
      pool.delete(key);
    }
  }

  function undo(block: Block): void {
    for (const { transaction } of block.transactions.reverse()) {
      const { from, nonce, hash } = transaction;
      const key = slot(from, nonce);
      byHash.delete(hash);
      used.delete(key);
      nonces.set(from, nonce);
      changes.push({ nonce, from, mined: undefined });
      const rivals = [...received.values()].filter((each) => each.from === from && each.nonce === nonce);
      pool.set(key, [...rivals.filter((each) => each !== transaction), transaction]);
    }
  }

  const chain: Chain = {
    ...options,
    blocks,
    received,
    changes,
    get head() {
      return blocks.at(-1) ?? { number: options.height, time: options.time, baseFee: chain.baseFee };
    },
    receive(transaction) {
      const { from, nonce, hash } = transaction;
      const key = slot(from, nonce);
      const versions = pool.get(key) ?? [];
      if (nonce < next(from)) return byHash.has(hash) ? "known" : "nonce too low";
      if (versions.at(-1)?.hash === hash) return "known";
      if (transaction.maxFee < chain.head.baseFee) return "below the base fee";
      const old = versions.at(-1);
      if (old && !isRaised(old, transaction)) return "underpriced";
      received.set(hash, transaction);
      pool.set(key, [...versions.filter((each) => each.hash !== hash), transaction]);
      return "accepted";
    },
    mine(time) {
      const block = { number: chain.head.number + 1, round: rounds, time, baseFee: chain.baseFee, transactions: [] };
      blocks.push(block);
      include(block);
    },
    reorganize(depth) {
      const gone = blocks.splice(Math.max(0, blocks.length - depth));
      for (const block of [...gone].reverse()) undo(block);
      const last = gone.at(-1);
      if (!last) return;
      rounds++;
      for (const { time } of gone) chain.mine(time);
      chain.mine(last.time + 1);
    },
    nonceAt(from, block) {
      let nonce = next(from);
      for (let at = blocks.length - 1; at >= 0; at--) {
        const { number, transactions } = blocks[at] as Block;
        if (number <= block) break;
        for (const { transaction } of transactions) if (transaction.from === from) nonce--;
      }
      return nonce;
    },
    minedBy: (from, nonce) => used.get(slot(from, nonce)),
    mined: (hash) => byHash.get(hash),
    waiting: (from, nonce) => pool.get(slot(from, nonce))?.at(-1),
    forget: (from, nonce) => void pool.delete(slot(from, nonce)),
  };
  return chain;
}
