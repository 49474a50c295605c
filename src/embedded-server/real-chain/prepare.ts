import { addressProblem } from "../../contract/address.ts";
import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import { capOf, estimatedGas, type Market, marketPrices } from "../chain/market.ts";
import { lifecycleFromSent } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import { update } from "../state/state.ts";
import { capped, priceTexts } from "../worker/price.ts";
import { type ChainWorld, getNextNonce, type Job } from "./chain-world.ts";
import { askNode, FailedCall, readMarket } from "./node.ts";

/**
 * Prices and signs a transaction, which takes a nonce. One that cannot be signed takes it too, and stays `pending`
 * (facts 13.3).
 */
export async function prepare(world: ChainWorld, { record, relayer, network, lifecycle }: Job): Promise<void> {
  const { node, key, chainId, store, clock } = world;
  const prices = pricesBySpeed({ market: await readMarket(node), network, relayer }, record);
  const gas_limit = record.gas_limit ?? (await estimateGas(node, record));
  await store.change((state) => {
    if (state.transactions.get(record.id) !== record) return;
    const priced = { ...record, ...prices, gas_limit, nonce: getNextNonce(state, world, relayer.id) };
    const isJammed = typeof record.to === "string" && addressProblem(record.to) !== undefined;
    const prepared = isJammed ? priced : { ...priced, status: "sent", ...key.signRecord(priced, chainId).members };
    if (isJammed) state.transactions.put(prepared);
    else update(state, prepared, clock.now());
    const following = lifecycleFromSent(lifecycle, prepared, clock.now());
    state.lifecycles.set(record.id, isJammed ? following : { ...following, due: clock.now() });
  });
}

interface Pricing {
  market: Market;
  network: Resource;
  relayer: Resource;
}

/** Returns the market's prices for the speed of a transaction, silently capped (facts 4.3, 5.3). */
function pricesBySpeed(pricing: Pricing, { speed }: Resource): JsonObject {
  if (typeof speed !== "string") return {};
  return priceTexts(capped(marketPrices({ ...pricing, speed }), capOf(pricing.relayer)));
}

/** Returns a tenth more than the node's estimate; without one, what the service assumes (facts 5.3). */
async function estimateGas(node: JsonRpcNode, record: Resource): Promise<JsonValue> {
  const { from, to, value, data } = record;
  const call = {
    from,
    value: `0x${(wireAmount(value) ?? 0n).toString(16)}`,
    ...(to !== null && { to }),
    ...(data !== null && { data }),
  };
  try {
    const gas = wireAmount(await askNode(node, "eth_estimateGas", call as JsonObject));
    return gas === undefined ? estimatedGas(record) : Number((gas * 11n) / 10n);
  } catch (error) {
    if (error instanceof FailedCall && error.code !== undefined) return estimatedGas(record);
    throw error;
  }
}

/** Returns a record that does nothing but use the nonce of a transaction that was never sent (facts 13.3). */
export async function buildGapFiller(
  world: ChainWorld,
  { record, relayer, network }: Job,
  noop: JsonObject,
): Promise<Resource> {
  const { node, key, chainId, random } = world;
  const prices = pricesBySpeed({ market: await readMarket(node), network, relayer }, { id: record.id, speed: "fast" });
  const filler = { ...record, ...noop, ...prices, id: random.uuid() };
  return { ...filler, ...key.signRecord(filler, chainId).members };
}
