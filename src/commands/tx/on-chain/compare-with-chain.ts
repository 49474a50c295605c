import type { Client } from "../../../client/client.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { kindOfTransaction } from "../../../contract/transaction/transaction-state.ts";
import { type Problem, problemText, RelayctlError } from "../../../errors.ts";
import type { Ending } from "../../../terminal/view.ts";
import { CHAIN_RECORDS } from "./by-kind.ts";
import { nodeOf } from "./call-node.ts";
import type { ChainRecord } from "./chain-record.ts";
import { differencesOf } from "./differences.ts";
import { unsettled } from "./unsettled.ts";

export interface Compared {
  /** The hash from before a replacement or a cancellation. */
  was: string | undefined;
  /** Of the coin of the relayer's network, where that is known. */
  symbol: string | undefined;
}

/**
 * Asks the chain for a record's hash, and for the one from before where it is known, and tells where the two differ. The
 * record is shown in any case, so that what fails here ends the command after it.
 */
export async function compareWithChain(
  client: Client,
  relayerId: string,
  transaction: Transaction,
  { was, symbol }: Compared,
): Promise<Ending> {
  const hashes = [...new Set([hashOf(transaction), was])].filter((hash) => hash !== undefined);
  if (hashes.length === 0)
    return { failure: new RelayctlError("unmet", "the record has no hash to ask the chain for") };
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

/** Solana's record has a signature in place of a hash. */
function hashOf({ hash, signature }: Transaction): string | undefined {
  if (typeof hash === "string" && hash !== "") return hash;
  return typeof signature === "string" && signature !== "" ? signature : undefined;
}

/** The one thing that the record cannot show is that an earlier version was mined (facts 13.1). */
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
    // A single problem is not listed under its error.
    because: only !== undefined && more.length === 0 ? [only] : [],
  });
}
