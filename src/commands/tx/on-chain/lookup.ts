import { readRelayer } from "../../../chain/open-chain.ts";
import type { AbiSource } from "../../../chain/simulation/custom-error.ts";
import { knownHashes } from "../../../command-support/journaling/known-hashes.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isFinal, kindOfTransaction, statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Call } from "../../command.ts";
import { abiSource } from "../call/abi-source.ts";
import { showsCall } from "../call/shown-call.ts";

/** A record and what is known besides it. */
export interface Lookup {
  relayerId: string;
  record: Transaction;
  /** The kind of its network. */
  kind: NetworkKind;
  /** The hash from before a replacement or cancellation. */
  was: string | undefined;
  /** Further hashes that the journal knows, newest first. */
  hashes: readonly string[];
  /** The URL of a node to ask instead of the relayer's. */
  nodeUrl: string | undefined;
  abis: AbiSource;
  /** Milliseconds since 1970. */
  now: number;
}

interface LookupFlags {
  was?: string;
  why?: true;
  onChain?: true;
}

/** Returns what to look up; the journal replaces `--was` where the chain is asked, or the record alone would mislead. */
export async function lookupOf(
  call: Call<LookupFlags>,
  { relayerId, nodeUrl }: Pick<Lookup, "relayerId" | "nodeUrl">,
  record: Transaction,
): Promise<Lookup> {
  const { was, why, onChain } = call.flags;
  const kind = kindOfTransaction(record) ?? "evm";
  const isAsked = onChain === true || isFinal(statusOf(record));
  const isEvm = kind === "evm" || ((isAsked || why === true) && (await hasEvmChain(call, relayerId)));
  const known = isEvm && isAsked ? await knownHashes(await call.session(), record.id) : undefined;
  return {
    relayerId,
    record,
    kind: isEvm ? "evm" : kind,
    was: was ?? known?.previous,
    hashes: known?.all ?? [],
    nodeUrl,
    // The lines of the call note the files that are not ABIs too.
    abis: abiSource(call, showsCall(call, record) ? undefined : call.say),
    now: call.app.clock.now(),
  };
}

/**
 * Asks the relayer, since a record with members of another network may be of EVM all the same. The record decides only if
 * the relayer cannot be read.
 */
async function hasEvmChain(call: Call, relayerId: string): Promise<boolean> {
  const { client } = await call.session();
  const { relayer } = await readRelayer({ client, relayerId });
  return relayer?.network_type === "evm";
}

/** Returns what the hash from before a replacement or cancellation shows about a record (facts 5.5). */
export function previousHashNotes({ record, was }: Pick<Lookup, "record" | "was">): string[] {
  const { hash } = record;
  if (was === undefined) return [];
  if (typeof hash !== "string") return ["the record has no hash to compare"];
  const isSame = hash.toLowerCase() === was.toLowerCase();
  if (statusOf(record) !== "confirmed") return [isSame ? "the hash is unchanged" : "the hash changed"];
  if (isSame) return ["the hash is unchanged: the original was mined, whatever the record shows"];
  return ["the hash changed: the mined transaction is not the original; only the chain is conclusive"];
}
