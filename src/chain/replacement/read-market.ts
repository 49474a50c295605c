import { policiesOf } from "../../contract/relayer-policies.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { type FeeHistory, readFeeHistory } from "../evm/fee-history.ts";
import { quantity } from "../evm/quantity.ts";
import type { NetworkFacts } from "../network.ts";
import { type ChainNode, type Reading, read } from "../node/node.ts";
import { legacyMarket, type Market, marketFrom } from "./fees.ts";

/** Reads the market at a relayer's price type, and the base fee if that shows it (facts 5.3, 15.12). One request. */
export async function readMarket(
  node: ChainNode,
  { blockTime }: Pick<NetworkFacts, "blockTime">,
  relayer: Pick<Relayer, "policies"> | undefined,
): Promise<Reading<{ market: Market; baseFee?: bigint; history?: FeeHistory }>> {
  if (relayer && policiesOf(relayer).eip1559_pricing === false) {
    const price = await read(node, "eth_gasPrice", [], quantity);
    return "fault" in price ? price : { value: { market: legacyMarket(price.value) } };
  }
  const history = await readFeeHistory(node);
  if ("fault" in history) return history;
  const { value } = history;
  return { value: { market: marketFrom(value, blockTime), baseFee: value.baseFee, history: value } };
}
