import { BASE_UNIT } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import type { Handler } from "../handler.ts";
import { unreachableHealthNode } from "../health/checks.ts";
import { nextNonceNumber, nextSequenceNumber, transactionsOf } from "../lifecycle/numbers.ts";
import { servedBalance } from "../node/served-chain.ts";
import { pagedListReply } from "../paging.ts";
import { nodeUnreachable, relayerBusy } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { lookUpKind, lookUpRelayer } from "../transaction/lookup.ts";

/** Lists relayers (interface 4.1). */
export const listRelayers: Handler = async ({ query, store, memo }) =>
  store.read(({ relayers }) => pagedListReply(relayers, query, (relayer) => memo(withMaskedRpcUrls, relayer)));

/** Reads a relayer. Not in the interface; facts 3.1. */
export const getRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.read((state) => ({ data: withMaskedRpcUrls(lookUpRelayer(state, id)) }));

/** Deletes a relayer unless it has pending transactions; final ones stay (facts 3.1). */
export const deleteRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.change((state) => {
    lookUpRelayer(state, id);
    const active = transactionsOf(state, id).filter(isPending);
    if (active.length > 0) throw relayerBusy(id, active.length);
    state.relayers.remove(id);
    return { data: "Relayer deleted successfully" };
  });

/** Returns a relayer's status: the balance is a string, and the counter has a name for each kind (facts 3.1). */
export const getRelayerStatus: Handler = async ({ ids: [id = ""], store, now }) =>
  store.read((state) => {
    const relayer = lookUpRelayer(state, id);
    const node = unreachableHealthNode(state, relayer);
    if (node !== undefined) throw nodeUnreachable(node);
    return { data: buildStatus(state, relayer, servedBalance(state, relayer, now), counter(state, relayer)) };
  });

export function buildStatus(state: ServerState, relayer: Resource, balance: bigint, counters: JsonObject): JsonObject {
  const own = transactionsOf(state, relayer.id);
  const confirmed = own.flatMap(({ confirmed_at }) => (typeof confirmed_at === "string" ? [confirmed_at] : []));
  return {
    network_type: lookUpKind(relayer),
    balance: String(balance),
    pending_transactions_count: own.filter(isPending).length,
    last_confirmed_transaction_timestamp: confirmed.sort().at(-1) ?? null,
    system_disabled: relayer.system_disabled ?? false,
    paused: relayer.paused ?? false,
    ...counters,
  };
}

function counter(state: ServerState, relayer: Resource): JsonObject {
  switch (lookUpKind(relayer)) {
    case "evm":
      return { nonce: String(nextNonceNumber(state, relayer.id)) };
    case "stellar":
      return { sequence_number: String(nextSequenceNumber(state, relayer.id)) };
    case "solana":
      return {};
  }
}

/** Returns an integer of any size, for EVM often above 2^53 (facts 3.1). */
export const getBalance: Handler = async ({ ids: [id = ""], store, now }) =>
  store.read((state) => {
    const relayer = lookUpRelayer(state, id);
    return { data: { balance: servedBalance(state, relayer, now), unit: BASE_UNIT[lookUpKind(relayer)] } };
  });
