import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { marketPrices } from "../lifecycle/market.ts";
import { signed } from "../lifecycle/steps.ts";
import { balanceOf } from "../node/balance.ts";
import { Refusal, unsupportedOnSolana } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { update } from "../state/state.ts";
import { evmFields } from "../transaction/fields.ts";
import { activeRelayer, anyTransaction, kindOf, refuseFinal } from "../transaction/lookup.ts";
import { raceReplacement, withdrawnCancellation } from "../transaction/replacement-race.ts";
import { readBody } from "./transactions.ts";

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
    const prices = raisedPrices(relayer, old, body);
    refuseTooMuch(balanceOf(relayer), wireAmount(body.value) ?? 0n);
    const { nonce: _, is_canceled: __, ...fields } = evmFields(relayer, body);
    const replaced = { ...old, ...fields, ...prices, ...signed(state), ...withdrawnCancellation(old) };
    update(state, replaced, now);
    raceReplacement(state, old, replaced, now, { won: "confirmed", lost: "failed" });
    return { data: replaced };
  });
};

function refuseTooMuch(balance: bigint, value: bigint): void {
  if (value > balance) throw new Refusal(400, `Relayer balance ${balance} is insufficient to cover ${value}`);
}

const PRICES = ["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];

/**
 * Returns the market's price for the speed, or the old price plus a tenth, rounded down, whichever is higher (facts
 * 13.7).
 */
function raisedPrices(relayer: Resource, old: Resource, body: JsonObject): JsonObject {
  const speed = body.speed ?? old.speed ?? "fast";
  const market = marketPrices(relayer, { speed });
  const raised = PRICES.map((price) => [price, raisedText(old[price], market[price])] as const);
  if (raised.every(([, price]) => price === null)) {
    throw new Refusal(400, "Unable to calculate sufficient price bump for speed-based replacement");
  }
  return { ...Object.fromEntries(raised), speed };
}

function raisedText(old: JsonValue | undefined, market: JsonValue | undefined): string | null {
  const before = wireAmount(old);
  if (before === undefined) return null;
  const bumped = (before * 11n) / 10n;
  const least = bumped > before ? bumped : before + 1n;
  const offered = wireAmount(market) ?? 0n;
  return String(offered > least ? offered : least);
}
