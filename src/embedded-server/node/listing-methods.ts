import { wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, listIn, objectIn, textIn } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { chainNetwork, chainRules } from "../chain/network-chains.ts";
import { simChainBlockFrom, simChainHeight, simChainTime } from "../chain/sim-chain.ts";
import type { Resource } from "../state/collection.ts";
import { stateNetworkId } from "../state/state.ts";
import { type NodeCall, UNKNOWN_METHOD } from "./evm-methods.ts";
import { NodeError, servedBalance } from "./served-chain.ts";

/** A transaction on Solana or Stellar: only its fee changes a balance here. */
interface Listed {
  record: Resource;
  relayer: Resource;
  hash: string;
  block: number;
}

interface ListingCall extends Omit<NodeCall, "params"> {
  /** A list, or for Stellar an object. */
  params: JsonValue | undefined;
  blockTime: number;
  height: number;
}

/** How long nodes keep transactions, in milliseconds: on Stellar a week, on Solana two days. */
const KEPT = { stellar: 7 * 86_400_000, solana: 2 * 86_400_000 };
const INVALID = -32_602;

function listMined({ state, relayer, blockTime }: ListingCall): Listed[] {
  const found = state.transactions.held().flatMap((record): Listed[] => {
    const owner = state.relayers.get(String(record.relayer_id));
    const isMined = record.status === "confirmed" && typeof record.hash === "string";
    if (!owner || !isMined || stateNetworkId(owner) !== stateNetworkId(relayer)) return [];
    const block = simChainBlockFrom(receivedTime(record.confirmed_at), blockTime);
    return [{ record, relayer: owner, hash: String(record.hash), block }];
  });
  return found.sort((one, other) => one.block - other.block);
}

function oldestBlock({ height, blockTime }: ListingCall, kind: keyof typeof KEPT): number {
  return Math.max(1, height - Math.floor(KEPT[kind] / blockTime));
}

function secondsAt({ blockTime }: ListingCall, block: number): number {
  return Math.floor(simChainTime(block, blockTime) / 1_000);
}

const stellarMethods: Readonly<Record<string, (call: ListingCall) => JsonValue>> = {
  getLatestLedger: ({ height }) => ({ id: "0", protocolVersion: 23, sequence: height }),
  getTransactions: (call) => {
    const { startLedger, pagination, xdrFormat } = objectIn(call.params);
    const { cursor, limit = 50 } = objectIn(pagination);
    const oldest = oldestBlock(call, "stellar");
    const start = Number(cursor ?? startLedger ?? 0);
    if (xdrFormat !== "json" || start > call.height + 1 || start < oldest) throw new NodeError(INVALID);
    // A cursor is the ledger after the page's, so that a page ends with a ledger.
    const open = listMined(call).filter(({ block }) => block >= start && block <= call.height);
    const last = open[Number(limit) - 1]?.block ?? call.height;
    return {
      transactions: open.filter(({ block }) => block <= last).map((each) => shownOnStellar(call, each)),
      cursor: String(last + 1),
      ...{ latestLedger: call.height, latestLedgerCloseTimestamp: secondsAt(call, call.height) },
      ...{ oldestLedger: oldest, oldestLedgerCloseTimestamp: secondsAt(call, oldest) },
    };
  },
};

function shownOnStellar(call: ListingCall, { record, relayer, hash, block }: Listed): JsonObject {
  const { source_account: source, fee, sequence_number: sequence } = record;
  const tx = { source_account: source ?? relayer.address ?? null, fee: fee ?? 0, seq_num: String(sequence) };
  return {
    ...{ status: "SUCCESS", txHash: hash, applicationOrder: 1, feeBump: false, ledger: block },
    createdAt: secondsAt(call, block),
    envelopeJson: { tx: { tx: { ...tx, cond: "none", memo: "none", operations: [], ext: "v0" }, signatures: [] } },
    resultJson: { fee_charged: String(fee ?? 0), result: { tx_success: [] }, ext: "v0" },
    resultMetaJson: { v4: { tx_changes_before: [], operations: [], tx_changes_after: [] } },
  };
}

const SIGNATURE = 5_000n;

const solanaMethods: Readonly<Record<string, (call: ListingCall) => JsonValue>> = {
  getFirstAvailableBlock: (call) => oldestBlock(call, "solana"),
  getBlockTime: (call) => secondsAt(call, Number(wireAmount(paramsIn(call)[0]) ?? 0n)),
  getSignaturesForAddress: (call) => {
    const [address, options] = paramsIn(call);
    const { before, limit = 1_000 } = objectIn(options);
    const own = listMined(call).filter(({ relayer }) => relayer.address === address);
    const kept = own.filter(({ block }) => block >= oldestBlock(call, "solana")).reverse();
    const start = before === undefined ? 0 : kept.findIndex(({ hash }) => hash === before) + 1;
    return kept.slice(start, start + Number(limit)).map(({ hash, block }) => ({
      ...{ signature: hash, slot: block, err: null, memo: null },
      ...{ blockTime: secondsAt(call, block), confirmationStatus: "finalized" },
    }));
  },
  getTransaction: (call) => {
    const [hash] = paramsIn(call);
    const found = listMined(call).find((each) => each.hash === hash);
    return found ? shownOnSolana(call, found) : null;
  },
};

function paramsIn({ params }: ListingCall): readonly JsonValue[] {
  return listIn(params);
}

function shownOnSolana(call: ListingCall, { relayer, hash, block }: Listed): JsonObject {
  const balance = servedBalance(call.state, relayer, call.now);
  const key = { pubkey: textIn(relayer.address), signer: true, writable: true, source: "transaction" };
  return {
    ...{ slot: block, blockTime: secondsAt(call, block), version: "legacy" },
    meta: { err: null, fee: SIGNATURE, preBalances: [balance + SIGNATURE], postBalances: [balance] },
    transaction: { signatures: [hash], message: { accountKeys: [key], instructions: [] } },
  };
}

/** @throws NodeError */
export function callListingNode(
  method: string,
  kind: keyof typeof KEPT,
  call: Omit<ListingCall, "blockTime" | "height">,
) {
  const methods = kind === "stellar" ? stellarMethods : solanaMethods;
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!run) throw new NodeError(UNKNOWN_METHOD);
  const { blockTime } = chainRules(call.state, chainNetwork(call.state, call.relayer));
  return run({ ...call, blockTime, height: simChainHeight(call.now, blockTime) });
}
