import type { Client } from "../client/client.ts";
import { wireAmount } from "../contract/amount.ts";
import { SPEEDS } from "../contract/transaction/replacement.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";
import { type ChainQuestion, readChainFacts, readNewestHash } from "./chain-facts.ts";
import { readFeeHistory } from "./evm/fee-history.ts";
import { marketPrice, type Price } from "./evm/market-price.ts";
import { replacesUnraised } from "./network.ts";
import { bounded } from "./node/bounded.ts";
import type { ChainNode, NodeFault } from "./node/node.ts";
import type { Chain } from "./open-chain.ts";
import type { AbiSource } from "./simulation/custom-error.ts";
import type { ChainFacts, Evidence } from "./verdict/evidence.ts";
import { minedIn } from "./verdict/of-mined.ts";
import type { Verdict } from "./verdict/verdict.ts";
import { verdictOf } from "./verdict/verdict-of.ts";
import { newestOf } from "./verdict/wanted.ts";

export type Question = ChainQuestion &
  Pick<Evidence, "records" | "isGone" | "wanted" | "isComplete" | "isStrict"> & {
    relayerId: string;
    /** Blocks after its own with which it counts as confirmed (default: the network's). */
    confirmations?: bigint;
    abis?: AbiSource | undefined;
    /** Returns the milliseconds left; absent if there is no limit. */
    remaining?: () => number;
  };

/** A verdict, and what it rests on. */
export interface Examined {
  verdict: Verdict;
  /** What the node said; undefined if it could not be asked. */
  facts: ChainFacts | undefined;
  /** Why the chain could not be asked: the verdict is then that of the record alone. */
  fault: NodeFault | undefined;
  /** The name of the node that responded last. */
  node: string;
}

export interface RecordReader {
  tx: Pick<Client["tx"], "getByNonce">;
}

/** The most calls for one verdict: the hashes and receipts, the search, and the blocks of a node without old state. */
const MOST_CALLS = 600;

/** Reads the chain, and returns what became of an EVM transaction. May be called again as time passes. */
export async function examine(chain: Chain, client: RecordReader, question: Question): Promise<Examined> {
  const { network, cap } = chain;
  const node = bounded(chain.node, { calls: MOST_CALLS, remaining: question.remaining });
  const reading = await readChainFacts(node, question);
  const facts = "value" in reading ? reading.value : undefined;
  const fault = "fault" in reading ? reading.fault : undefined;
  const others = facts && (await othersWithNonce(client, facts, question));
  const evidence: Evidence = {
    ...buildEvidence(question),
    kind: "evm",
    confirmations: question.confirmations ?? network.confirmations,
    isUnraised: replacesUnraised(network),
    cap,
    ...(others && { others }),
    chain: facts,
  };
  const verdict = verdictOf(evidence);
  const more = await moreEvidence(verdict, evidence, { chain: { ...chain, node }, question });
  return { verdict: more ? verdictOf({ ...evidence, ...more }) : verdict, facts, fault, node: node.name };
}

/** Checks a record that reads `confirmed` with three calls: the service may have found another version (facts 16.1). */
export async function examineConfirmed(node: ChainNode, record: Transaction): Promise<Examined> {
  const reading = await readNewestHash(node, record);
  const facts = "value" in reading ? reading.value : undefined;
  const verdict = verdictOf({ records: [record], kind: "evm", confirmations: 0n, isUnraised: false, chain: facts });
  return { verdict, facts, fault: "fault" in reading ? reading.fault : undefined, node: node.name };
}

/** Reads what only some verdicts need: the market's price, or why the transaction reverted. */
async function moreEvidence(
  { verdict }: Verdict,
  evidence: Evidence,
  { chain, question }: { chain: Chain; question: Question },
): Promise<Pick<Evidence, "market" | "replay"> | undefined> {
  if (verdict === "never_broadcast" && evidence.isUnraised) return { market: await marketNow(chain, question) };
  const [mined] = verdict === "reverted" ? minedIn(evidence) : [];
  if (!mined) return undefined;
  const { recordedRevert } = await import("./simulation/recorded-revert.ts");
  const recorded = await recordedRevert(newestOf(evidence), mined.transaction.hash, question.abis);
  if (recorded) return { replay: recorded };
  const { replay } = await import("./simulation/replay.ts");
  return { replay: await replay(chain.node, { ...mined.transaction, block: mined.block }, question.abis) };
}

function buildEvidence({ records, isGone, wanted, isComplete, isStrict }: Question) {
  return {
    records,
    ...(isGone && { isGone }),
    ...(wanted && { wanted }),
    ...(isComplete && { isComplete }),
    ...(isStrict && { isStrict }),
  };
}

/** Reads the newest record with the nonce, if an unknown transaction used it (facts 16.3). */
async function othersWithNonce(
  { tx }: RecordReader,
  { nonceUse, hashes }: ChainFacts,
  question: Question,
): Promise<Transaction[] | undefined> {
  const user = nonceUse?.state === "used" ? nonceUse.by : undefined;
  const nonce = wireAmount(newestOf(question).nonce);
  if (!user || hashes.has(user.hash) || nonce === undefined) return undefined;
  try {
    return [(await tx.getByNonce(question.relayerId, String(nonce))).data];
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return undefined;
  }
}

/** Reads the market's price for the newest record; a bump without a speed counts as fast (facts 15.12). */
async function marketNow({ node, network }: Chain, question: Question): Promise<Price | undefined> {
  const history = await readFeeHistory(node);
  const speed = SPEEDS.find((each) => each === newestOf(question).speed) ?? "fast";
  return "value" in history ? marketPrice(history.value, speed, network.blockTime) : undefined;
}
