import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import {
  amount,
  flag,
  listShape,
  nullishShape,
  number,
  objectShape,
  optionalShape,
  text,
} from "../../contract/reply/shape.ts";
import { TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import type { Resource } from "../state/collection.ts";
import type { PriceHistory } from "./market.ts";

/** A signed transaction as one network's nodes know it. Amounts are in wei. */
export type SimTransaction = {
  hash: string;
  from: string;
  nonce: number;
  to: string | null;
  value: bigint;
  data: string;
  gas: bigint;
  /** The most that it pays for gas, and of that the block's producer. Equal for a legacy transaction. */
  fee: bigint;
  tip: bigint;
  isLegacy: boolean;
  /** When a node accepted it, in milliseconds since 1970. */
  at: number;
  /** Whether the current block contains it, so that nothing can replace it. */
  isChosen: boolean;
};

export type SimMined = SimTransaction & { block: number };

const transaction = {
  ...{ hash: text, from: text, nonce: number, to: nullishShape(text), value: amount, data: text },
  ...{
    gas: amount,
    fee: amount,
    tip: amount,
    isLegacy: optionalShape(flag),
    at: number,
    isChosen: optionalShape(flag),
  },
};

export const chainShape = objectShape({
  network: text,
  accounts: listShape(objectShape({ address: text, nonce: number, block: number })),
  waiting: listShape(objectShape(transaction)),
  mined: listShape(objectShape({ ...transaction, block: number })),
  dropped: listShape(objectShape(transaction)),
  opening: optionalShape(number),
});

export interface KeptChain extends Pick<SimChain, "waiting" | "mined" | "dropped"> {
  network: string;
  accounts: readonly (ChainAccount & { address: string })[];
  opening?: number;
}

/** Returns a stored chain with its network. Small amounts were read as numbers. */
export function simChainFromJson(kept: KeptChain): readonly [network: string, chain: SimChain] {
  const { network, accounts, mined } = kept;
  const exact = <T extends SimTransaction>(each: T): T => {
    const { to = null, isLegacy = false, isChosen = false } = each;
    const [value = 0n, gas = 0n, fee = 0n, tip = 0n] = [each.value, each.gas, each.fee, each.tip].map(wireAmount);
    return { ...each, to, value, gas, fee, tip, isLegacy, isChosen };
  };
  return [
    network,
    {
      accounts: new Map(accounts.map(({ address, nonce, block }) => [address, { nonce, block }])),
      waiting: kept.waiting.map(exact),
      mined: mined.map(exact),
      dropped: kept.dropped.map(exact),
      // An earlier version of relayctl did not store it: balances then begin with the values of that time.
      opening: kept.opening ?? mined.at(-1)?.block ?? 0,
    },
  ];
}

export function simChainToJson(network: string, { accounts, waiting, mined, dropped, opening }: SimChain): JsonObject {
  return {
    network,
    accounts: [...accounts].map(([address, account]) => ({ address, ...account })),
    waiting: [...waiting],
    mined: [...mined],
    dropped: [...dropped],
    opening,
  };
}

/** The transactions of one network. Immutable: each event returns the next chain. */
export interface SimChain {
  /** By address: the first unused nonce, and the block that used the previous one. */
  accounts: ReadonlyMap<string, ChainAccount>;
  waiting: readonly SimTransaction[];
  /** In the order of their blocks. */
  mined: readonly SimMined[];
  /** Accepted transactions whose nonce another one took. */
  dropped: readonly SimTransaction[];
  /** The first replaced block of each reorganization. */
  forks?: readonly number[];
  /** The last block of the initial data, whose payments the opening balances include. */
  opening: number;
}

type ChainAccount = { nonce: number; block: number };

export interface ChainRules {
  /** Milliseconds between blocks. */
  blockTime: number;
  market: PriceHistory;
}

export function emptySimChain(): SimChain {
  return { accounts: new Map(), waiting: [], mined: [], dropped: [], opening: 0 };
}

export function simAccount(chain: SimChain, from: string): ChainAccount {
  return chain.accounts.get(from) ?? { nonce: 0, block: 0 };
}

/** Returns the transaction that used a nonce, or undefined if the nonce is unused or was used before this chain began. */
export function simChainMinedAt(chain: SimChain, from: string, nonce: number): SimMined | undefined {
  if (simAccount(chain, from).nonce <= nonce) return undefined;
  return chain.mined.findLast((each) => each.from === from && each.nonce === nonce);
}

export function isSimRival(one: SimTransaction, other: SimTransaction): boolean {
  return one.from === other.from && one.nonce === other.nonce;
}

export function simChainNonceAfter(chain: SimChain, from: string, block: number): number {
  return simAccount(chain, from).nonce - chain.mined.filter((each) => each.from === from && each.block > block).length;
}

/** The time of the first block of every network, in milliseconds since 1970. */
const BEGAN = Date.UTC(2020, 0, 1);

export function simChainHeight(time: number, blockTime: number): number {
  return Math.floor((time - BEGAN) / blockTime);
}

export function simChainBlockFrom(time: number, blockTime: number): number {
  return Math.ceil((time - BEGAN) / blockTime);
}

/** Returns the time of a block, in milliseconds since 1970. */
export function simChainTime(block: number, blockTime: number): number {
  return BEGAN + block * blockTime;
}

export function signedFromRecord(record: Resource, at: number): SimTransaction {
  const legacy = wireAmount(record.gas_price);
  return {
    hash: String(record.hash),
    from: String(record.from).toLowerCase(),
    nonce: Number(record.nonce),
    to: typeof record.to === "string" ? record.to : null,
    value: wireAmount(record.value) ?? 0n,
    data: typeof record.data === "string" ? record.data : "0x",
    gas: wireAmount(record.gas_limit) ?? TRANSFER_GAS,
    fee: legacy ?? wireAmount(record.max_fee_per_gas) ?? 0n,
    tip: legacy ?? wireAmount(record.max_priority_fee_per_gas) ?? 0n,
    isLegacy: legacy !== undefined,
    at,
    isChosen: false,
  };
}

interface RecordOnChain {
  record: Resource;
  /** The sent version, if the record shows another one. */
  version: Resource | undefined;
  /** Whether a node has it, unless it refused a `sent` one (facts 16.4). */
  isSent: boolean;
}

const MINED = ["mined", "confirmed", "canceled"];
/** Milliseconds from sending to the block, for a chain with nothing but records. */
const USUAL_WAIT = 30_000;

export function chainFromRecords(records: readonly RecordOnChain[], blockTime: number): SimChain {
  const withNonce = records.filter(({ record }) => typeof record.nonce === "number" && record.from !== undefined);
  const chain = withNonce
    .toSorted((one, other) => Number(one.record.nonce) - Number(other.record.nonce))
    .reduce((before, each) => withRecord(before, each, blockTime), emptySimChain());
  const mined = chain.mined.toSorted((one, other) => one.block - other.block);
  return { ...chain, mined, opening: mined.at(-1)?.block ?? 0 };
}

function withRecord(chain: SimChain, { record, version, isSent }: RecordOnChain, blockTime: number): SimChain {
  const shown = version ?? record;
  const sent = signedFromRecord(shown, Date.parse(String(shown.sent_at ?? shown.created_at)));
  const isMined =
    shown.hash !== null &&
    (MINED.includes(String(shown.status)) || (version !== undefined && record.status === "failed"));
  const block = simChainBlockFrom(sent.at + USUAL_WAIT, blockTime);
  const known = chain.accounts.get(sent.from);
  const account: ChainAccount = isMined ? { nonce: sent.nonce + 1, block } : (known ?? { nonce: sent.nonce, block: 0 });
  return {
    ...chain,
    accounts: new Map(chain.accounts).set(sent.from, account),
    ...(isMined && { mined: [...chain.mined, { ...sent, block }] }),
    ...(!isMined && isSent && { waiting: [...chain.waiting, sent] }),
  };
}
