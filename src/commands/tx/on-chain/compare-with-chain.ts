import type { Client } from "../../../client/client.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { type Problem, problemText, RelayctlError } from "../../../errors.ts";
import type { Ending } from "../../../terminal/view.ts";
import { type AskNode, nodeOf } from "./call-node.ts";
import { differencesOf } from "./differences.ts";
import type { ChainRecord } from "./evm.ts";

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

/** The chain reader of each kind of network whose transactions have one version. */
const CHAIN_RECORDS: Record<Exclude<NetworkKind, "evm">, (request: AskNode, hash: string) => Promise<ChainRecord>> = {
  solana: solanaRecord,
  stellar: stellarRecord,
};

/**
 * Reads the chain for the hash of a Solana or Stellar record, and reports differences. The record is always printed
 * first, so a failure here ends the command after it.
 */
export async function compareWithChain(
  client: Client,
  relayerId: string,
  transaction: Transaction,
  kind: Exclude<NetworkKind, "evm">,
): Promise<Ending> {
  const hash = chainHashOf(transaction);
  if (hash === undefined) return { failure: noHash() };
  try {
    const found = await CHAIN_RECORDS[kind](nodeOf(client, relayerId), hash);
    const differences = differencesOf(transaction, found, undefined);
    const notes = [`chain: ${hash} ${chainText(found)}`];
    return { notes, ...(differences.length > 0 && { failure: differing(differences) }) };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { failure: error };
  }
}

/** Returns the error for a record without a hash. */
export function noHash(): RelayctlError {
  return new RelayctlError("unmet", "the record has no hash to look up on the chain");
}

/** Returns the hash; Solana's record has a signature instead. */
function chainHashOf({ hash, signature }: Transaction): string | undefined {
  if (typeof hash === "string" && hash !== "") return hash;
  return typeof signature === "string" && signature !== "" ? signature : undefined;
}

/** Returns in words what a node holds under a hash. */
export function chainText({ state, place, failed }: ChainRecord): string {
  if (state === "unknown") return "is not known to the node";
  if (state === "waiting") return "waits to be mined";
  return `was mined in ${place ?? "an unknown place"}${failed ? " and failed" : ""}`;
}

/** Returns the error for a record and a chain that differ. */
export function differing(details: readonly Problem[]): RelayctlError {
  const [only, ...more] = details.map(problemText);
  return new RelayctlError("mismatch", "the record and the chain differ", {
    details,
    // A single problem is not listed below its error.
    because: only !== undefined && more.length === 0 ? [only] : [],
  });
}
