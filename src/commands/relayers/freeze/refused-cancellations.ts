import { type NetworkFacts, readNetworkFacts, replacesUnraised } from "../../../chain/network.ts";
import { bounded } from "../../../chain/node/bounded.ts";
import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { predict } from "../../../chain/replacement/predict.ts";
import { readMarket } from "../../../chain/replacement/read-market.ts";
import { readWaiting } from "../../../chain/replacement/read-prediction.ts";
import type { Client } from "../../../client/client.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isBeingCanceled, statusOf } from "../../../contract/transaction/transaction-state.ts";

/** The most requests to the node of a relayer, and the milliseconds after which none is sent. */
const MOST_CALLS = 40;
const LONGEST = 5_000;

/** Returns the IDs of the transactions of a relayer whose cancellation nodes would refuse. */
export type RefusedCancellations = (
  relayer: Relayer | undefined,
  pending: readonly Transaction[],
) => Promise<ReadonlySet<string>>;

/**
 * Predicts which cancellations nodes refuse: those of submitted transactions on networks without raised prices, until the
 * market has risen by a tenth (facts 15.3). All of them count as refused while the market cannot be read, since the record
 * of a refused one reads as canceled. Each network is read once.
 */
export function createRefused(
  { relayers, networks }: Pick<Client, "relayers" | "networks">,
  elapsed: () => number,
): RefusedCancellations {
  const facts = new Map<string, Promise<NetworkFacts>>();
  const factsOf = (name: string) => {
    const known = facts.get(name) ?? readNetworkFacts(networks, name);
    facts.set(name, known);
    return known;
  };
  return async (relayer, pending) => {
    const submitted = pending.filter((each) => statusOf(each) === "submitted" && !isBeingCanceled(each));
    const isOpen = relayer?.network_type === "evm" && relayer.paused !== true && relayer.system_disabled !== true;
    if (!relayer || !isOpen || submitted.length === 0) return new Set();
    const network = await factsOf(relayer.network ?? "");
    if (!replacesUnraised(network)) return new Set();
    const end = elapsed() + LONGEST;
    const bounds = { calls: MOST_CALLS, remaining: () => end - elapsed() };
    const node = bounded(relayerNode(relayers, relayer.id), bounds);
    const found = await readMarket(node, network, relayer);
    const refused = new Set<string>();
    for (const record of submitted) {
      const question = { record, change: "cancel" as const, isUnraised: true, ...("value" in found && found.value) };
      const isRefused = (waiting?: Awaited<ReturnType<typeof readWaiting>>) =>
        !question.market || predict({ ...question, waiting }).obstacle?.kind === "market";
      // The record may show another price than the version that waits at the node (facts 15.2).
      if (isRefused() || isRefused(await readWaiting(node, record.hash))) refused.add(record.id);
    }
    return refused;
  };
}
