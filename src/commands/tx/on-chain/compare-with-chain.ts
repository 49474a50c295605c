import type { Client } from "../../../client/client.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { kindOfTransaction } from "../../../contract/transaction/transaction-state.ts";
import { type Problem, problemText, RelayctlError } from "../../../errors.ts";
import type { Ending } from "../../../terminal/view.ts";
import { outcomeOf } from "../record/outcome.ts";
import { type AskNode, nodeOf } from "./call-node.ts";
import { differencesOf } from "./differences.ts";
import { type ChainRecord, evmRecord } from "./evm.ts";

/**
 * Returns the error if the mined version is unknown: no known hash was mined, but a version with an unknown hash may
 * have been (facts 13.1).
 */
function unsettled(transaction: Transaction, found: readonly ChainRecord[]): RelayctlError | undefined {
  if (!outcomeOf(transaction)?.askChain || found.some(({ state }) => state === "mined")) return undefined;
  return new RelayctlError("unmet", "the outcome is unknown: no known hash of the transaction was mined", {
    because: [
      "an earlier version may have been mined: find its hash in the receipt of the replacement, or by its nonce",
    ],
  });
}

/** Reads Stellar RPC's `getTransaction`, whose `status` is SUCCESS, FAILED, or NOT_FOUND. */
async function stellarRecord(request: AskNode, hash: string): Promise<ChainRecord> {
  const found = await request("getTransaction", { hash });
  if (!isJsonObject(found) || !["SUCCESS", "FAILED"].includes(String(found.status))) {
    return { state: "unknown", fields: {} };
  }
  const place = `ledger ${wireAmount(found.ledger) ?? "unknown"}`;
  return { state: "mined", failed: found.status === "FAILED", place, fields: {} };
}

/** Reads Solana's `getSignatureStatuses`. A signature that is only processed may still be dropped. */
async function solanaRecord(request: AskNode, signature: string): Promise<ChainRecord> {
  const statuses = await request("getSignatureStatuses", [[signature], { searchTransactionHistory: true }]);
  const found = isJsonObject(statuses) && Array.isArray(statuses.value) ? statuses.value[0] : undefined;
  if (!isJsonObject(found)) return { state: "unknown", fields: {} };
  const failed = (found.err ?? null) !== null;
  const state = found.confirmationStatus === "processed" ? "waiting" : "mined";
  return { state, failed, place: `slot ${wireAmount(found.slot) ?? "unknown"}`, fields: {} };
}

/** The chain reader for each kind of network. */
const CHAIN_RECORDS: Record<NetworkKind, (request: AskNode, hash: string) => Promise<ChainRecord>> = {
  evm: evmRecord,
  solana: solanaRecord,
  stellar: stellarRecord,
};

export interface Compared {
  /** The hash from before a replacement or cancellation. */
  was: string | undefined;
  /** The symbol of the network's coin, if known. */
  symbol: string | undefined;
}

/**
 * Reads the chain for a record's hash, and for the previous one if known, and reports differences. The record is always
 * printed first, so a failure here ends the command after it.
 */
export async function compareWithChain(
  client: Client,
  relayerId: string,
  transaction: Transaction,
  { was, symbol }: Compared,
): Promise<Ending> {
  const hashes = [...new Set([hashOf(transaction), was])].filter((hash) => hash !== undefined);
  if (hashes.length === 0)
    return { failure: new RelayctlError("unmet", "the record has no hash to look up on the chain") };
  const request = nodeOf(client, relayerId);
  const kind = kindOfTransaction(transaction) ?? "evm";
  const found = new Map<string, ChainRecord>();
  try {
    for (const hash of hashes) found.set(hash, await CHAIN_RECORDS[kind](request, hash));
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { failure: error };
  }
  const differences = [...found].flatMap(([hash, chain]) => differencesFor(hash, chain, { transaction, symbol }));
  const notes = [...found].map(([hash, chain]) => `chain: ${hash} ${wordsOf(chain)}`);
  const failure = differences.length > 0 ? differing(differences) : unsettled(transaction, [...found.values()]);
  return { notes, ...(failure && { failure }) };
}

/** Returns the hash; Solana's record has a signature instead. */
function hashOf({ hash, signature }: Transaction): string | undefined {
  if (typeof hash === "string" && hash !== "") return hash;
  return typeof signature === "string" && signature !== "" ? signature : undefined;
}

/**
 * Returns the differences. The only fact that the record cannot show is that an earlier version was mined (facts 13.1).
 */
function differencesFor(
  hash: string,
  chain: ChainRecord,
  { transaction, symbol }: Pick<Compared, "symbol"> & { transaction: Transaction },
): Problem[] {
  if (hash === hashOf(transaction)) return differencesOf(transaction, chain, symbol);
  if (chain.state !== "mined") return [];
  return [
    {
      where: "hash",
      given: hashOf(transaction) ?? "none",
      rule: `on the chain the version before it was mined, ${hash}`,
    },
  ];
}

function wordsOf({ state, place, failed }: ChainRecord): string {
  if (state === "unknown") return "is not known to the node";
  if (state === "waiting") return "waits to be mined";
  return `was mined in ${place ?? "an unknown place"}${failed ? " and failed" : ""}`;
}

function differing(details: readonly Problem[]): RelayctlError {
  const [only, ...more] = details.map(problemText);
  return new RelayctlError("mismatch", "the record and the chain differ", {
    details,
    // A single problem is not listed below its error.
    because: only !== undefined && more.length === 0 ? [only] : [],
  });
}
