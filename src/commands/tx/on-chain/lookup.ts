import { readChainRelayer } from "../../../chain/open-chain.ts";
import type { AbiSource } from "../../../chain/simulation/revert-reason.ts";
import { type NetworkKind, networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isFinal, type Transaction, txStatus } from "../../../contract/transaction/transaction.ts";
import { rescue } from "../../../errors.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import type { Session } from "../../../session/session.ts";
import { CHAIN_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { showsCall } from "../call/shown-call.ts";

export interface ChainLookup {
  relayerId: string;
  record: Transaction;
  /** Undefined if it was not read: a record that has not ended needs no chain. */
  relayer: Relayer | undefined;
  kind: NetworkKind;
  /** The hash that preceded a replacement or cancellation. */
  was: string | undefined;
  /** Further hashes that the journal knows, newest first. */
  hashes: readonly string[];
  /** The URL of a node to ask instead of the relayer's. */
  nodeUrl: string | undefined;
  abis: AbiSource;
  /** Milliseconds since 1970. */
  now: number;
}

/** Returns what to look up; the journal replaces `--was` where the chain is asked, or only the record would mislead. */
export async function onChainLookup(
  call: Call<{ was?: string; why?: true; onChain?: true }>,
  { relayerId, nodeUrl }: Pick<ChainLookup, "relayerId" | "nodeUrl">,
  record: Transaction,
): Promise<ChainLookup> {
  const { was, why, onChain } = call.flags;
  const session = await call.session();
  const isWanted = onChain === true || why === true;
  const found = onChain || isFinal(txStatus(record)) ? await knownHashes(session, record.id) : undefined;
  const isNeeded = isWanted || txStatus(record) === "confirmed" || found?.previous !== undefined;
  const client = isWanted ? session.client : session.briefly(CHAIN_TIMEOUT);
  const { relayer } = isNeeded ? await readChainRelayer({ client, relayerId }) : { relayer: undefined };
  const kind = networkKind(relayer);
  const known = kind === "evm" ? found : undefined;
  return {
    relayerId,
    record,
    relayer,
    kind,
    was: was ?? known?.previous,
    hashes: known?.all ?? [],
    nodeUrl,
    // The lines of the call note the files that are not ABIs too.
    abis: showsCall(call, record) ? () => session.abis() : notingAbis(session),
    now: call.app.clock.now(),
  };
}

function notingAbis({ abis, say }: Session): AbiSource {
  let found: ReturnType<AbiSource> | undefined;
  return () => (found ??= rescue(abis(say), () => []));
}

/** Returns what the hash before a replacement or cancellation shows about a record (facts 5.5). */
export function lookupHashNotes({ record, was }: Pick<ChainLookup, "record" | "was">): string[] {
  const { hash } = record;
  if (was === undefined) return [];
  if (typeof hash !== "string") return ["the record has no hash to compare"];
  const isSame = hash.toLowerCase() === was.toLowerCase();
  if (txStatus(record) !== "confirmed") return [isSame ? "the hash is unchanged" : "the hash changed"];
  if (isSame) return ["the hash is unchanged: the original was mined, whatever the record shows"];
  return ["the hash changed: the mined transaction is not the original; only the chain is conclusive"];
}
