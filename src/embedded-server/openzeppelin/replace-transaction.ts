import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { jsonBody } from "../body.ts";
import { marketAt, networkOf } from "../chain/chains.ts";
import type { Handler } from "../handler.ts";
import { signed } from "../lifecycle/signed.ts";
import { balanceOf } from "../node/balance.ts";
import { Refusal, unsupportedOnSolana } from "../refusal.ts";
import { update } from "../state/state.ts";
import { evmFields } from "../transaction/fields.ts";
import { activeRelayer, anyTransaction, kindOf, refuseFinal } from "../transaction/lookup.ts";
import { followReplacement, withdrawnCancellation } from "../worker/follow.ts";
import { type Pricing, priceTexts, storedPrices } from "../worker/price.ts";
import { readBody } from "./transactions.ts";
import { serviceStyle } from "./worker-style.ts";

/**
 * Replaces a transaction, with the checks of facts 5.4 in order: requested prices are checked and ignored, Solana is
 * rejected, and Stellar returns the old transaction.
 */
export const replaceTransaction: Handler = async ({ ids: [relayerId = "", id = ""], request, store, now }) => {
  const value = jsonBody(request);
  return store.change((state) => {
    const relayer = activeRelayer(state, relayerId);
    const kind = kindOf(relayer);
    const body = readBody[kind](relayer, value, now);
    if (kind === "solana") throw unsupportedOnSolana();
    const old = anyTransaction(state, relayerId, id);
    if (kind === "stellar") return { data: old };
    refuseFinal(old, "replace");
    const network = networkOf(state, relayer);
    const prices = raisedPrices({ market: marketAt(state, network, now), network, relayer, old }, body);
    refuseTooMuch(balanceOf(state, relayer, now), wireAmount(body.value) ?? 0n);
    const { nonce: _, is_canceled: __, ...fields } = evmFields(relayer, body);
    const replaced = { ...old, ...fields, ...prices, ...signed(state), ...withdrawnCancellation(old) };
    update(state, replaced, now);
    followReplacement(state, { relayer, old, record: replaced }, now, serviceStyle(state.hashes));
    return { data: replaced };
  });
};

function refuseTooMuch(balance: bigint, value: bigint): void {
  if (value > balance) throw new Refusal(400, `Relayer balance ${balance} is insufficient to cover ${value}`);
}

/** Returns the market's price, or the old one plus a tenth, rounded down, whichever is higher (facts 13.7, 15.1). */
function raisedPrices(pricing: Omit<Pricing, "speed">, body: JsonObject): JsonObject {
  const speed = String(body.speed ?? pricing.old.speed ?? "fast");
  const prices = storedPrices({ ...pricing, speed });
  if (prices) return { ...priceTexts(prices), speed };
  throw new Refusal(400, "Unable to calculate sufficient price bump for speed-based replacement");
}
