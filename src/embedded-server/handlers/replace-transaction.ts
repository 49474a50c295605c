import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { jsonBody } from "../body.ts";
import { marketAt, networkOf } from "../chain/chains.ts";
import type { Handler } from "../handler.ts";
import { replacedMissing } from "../refusal.ts";
import { changesFrom } from "../replacement/changes.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, update } from "../state/state.ts";
import { kindOf, refuseFinal, refuseIdle } from "../transaction/lookup.ts";
import { followReplacement, type WorkerStyle, withdrawnCancellation } from "../worker/follow.ts";
import { priceTexts, storedPrices } from "../worker/price.ts";

/**
 * Replaces a transaction (interface 4.3). The checks come in the order of facts 5.4. Requested prices are used, and the
 * replacement is sent at once; with a speed, it is priced as by the real service (facts 15.1).
 */
export const replaceTransaction: Handler = async ({ ids: [relayerId = "", id = ""], request, store, now }) => {
  const body = jsonBody(request);
  return store.change((state) => {
    const relayer = state.relayers.get(relayerId);
    if (!relayer) throw replacedMissing();
    refuseIdle(relayer);
    const changes = changesFrom[kindOf(relayer)](body);
    const old = state.transactions.get(id);
    if (old?.relayer_id !== relayerId) throw replacedMissing();
    refuseFinal(old, "replace");
    state.hashes += 1;
    const prices = pricesBySpeed(state, { relayer, old, body }, now);
    const replaced = { ...old, ...changes(old, state.hashes), ...prices, ...withdrawnCancellation(old) };
    update(state, replaced, now);
    followReplacement(state, { relayer, old, record: replaced }, now, prices ? BY_SPEED : {});
    return { data: replaced };
  });
};

/** Within the 1 to 3 s of the real service (facts 16.2). */
const BY_SPEED: WorkerStyle = { reprices: 1000 };

/** Returns the prices of an EVM replacement that requests a speed; undefined if there are none to raise. */
function pricesBySpeed(
  state: ServerState,
  { relayer, old, body }: { relayer: Resource; old: Resource; body: JsonValue },
  now: number,
): JsonObject | undefined {
  const speed = isJsonObject(body) ? body.speed : undefined;
  if (typeof speed !== "string" || kindOf(relayer) !== "evm") return undefined;
  const network = networkOf(state, relayer);
  const prices = storedPrices({ market: marketAt(state, network, now), network, relayer, old, speed });
  return prices && priceTexts(prices);
}
