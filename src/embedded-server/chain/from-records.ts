import { wireAmount } from "../../contract/amount.ts";
import { TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import type { Resource } from "../state/collection.ts";
import {
  type ChainAccount,
  emptySimChain,
  type SimChain,
  type SimTransaction,
  simChainBlockFrom,
} from "./sim-chain.ts";

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

export interface RecordOnChain {
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
