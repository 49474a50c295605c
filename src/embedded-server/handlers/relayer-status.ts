import type { JsonObject } from "../../contract/json.ts";
import { isPending } from "../../contract/transaction/transaction-state.ts";
import type { Handler } from "../handler.ts";
import { unreachableNode } from "../health/nodes.ts";
import { nextNonce, nextSequence, transactionsOf } from "../lifecycle/nonces.ts";
import { balanceOf } from "../node/balance.ts";
import { nodeUnreachable } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { relayerOf } from "../transaction/lookup.ts";

/**
 * Returns a relayer's status. The balance is a string here, and the transaction counter has a different name for each
 * kind of network (facts 3.1).
 */
export const getRelayerStatus: Handler = async ({ ids: [id = ""], store }) =>
  store.read((state) => {
    const relayer = relayerOf(state, id);
    const node = unreachableNode(state, relayer);
    if (node !== undefined) throw nodeUnreachable(node);
    const own = transactionsOf(state, id);
    const confirmed = own.flatMap(({ confirmed_at }) => (typeof confirmed_at === "string" ? [confirmed_at] : []));
    return {
      data: {
        network_type: kindOf(relayer),
        balance: String(balanceOf(relayer)),
        pending_transactions_count: own.filter(isPending).length,
        last_confirmed_transaction_timestamp: confirmed.sort().at(-1) ?? null,
        system_disabled: relayer.system_disabled ?? false,
        paused: relayer.paused ?? false,
        ...counter(state, relayer),
      },
    };
  });

function counter(state: ServerState, relayer: Resource): JsonObject {
  switch (kindOf(relayer)) {
    case "evm":
      return { nonce: String(nextNonce(state, relayer.id)) };
    case "stellar":
      return { sequence_number: String(nextSequence(state, relayer.id)) };
    case "solana":
      return {};
  }
}
