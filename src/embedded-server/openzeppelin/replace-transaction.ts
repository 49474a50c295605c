import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type Pricing, type SimMarket, workerPriceTexts, workerStoredPrices } from "../chain/market.ts";
import { chainMarket, chainNetwork } from "../chain/network-chains.ts";
import { hexDigits } from "../digits.ts";
import { type Handler, handlerJsonBody } from "../handler.ts";
import { nextHashAndSignature } from "../lifecycle/numbers.ts";
import { servedBalance } from "../node/served-chain.ts";
import { Refusal, unsupportedOnSolana } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, updateState } from "../state/state.ts";
import type { ServerStore } from "../state/store.ts";
import { evmTransactionFields } from "../transaction/fields.ts";
import { anyTransaction, lookUpActiveRelayer, refuseFinalTransaction, servedKind } from "../transaction/lookup.ts";
import { replaceInWorker, type WorkerStyle, withdrawWorkerCancellation } from "../worker/follow-change.ts";
import { readBody } from "./bodies.ts";

interface ReplacementChain {
  market: SimMarket;
  /** The relayer's, in wei. */
  balance: bigint;
  signed(state: ServerState, record: Resource): JsonObject;
}

type ReadChain = (store: ServerStore, relayerId: string, now: number) => Promise<ReplacementChain>;

/** Replaces a transaction, with the checks of facts 5.4 in order. */
export function replacingTransactionBy(readChain: ReadChain): Handler {
  return async ({ ids: [relayerId = "", id = ""], request, store, now }) => {
    const value = handlerJsonBody(request);
    const chain = await readChain(store, relayerId, now);
    return store.change((state) => {
      const relayer = lookUpActiveRelayer(state, relayerId);
      const kind = servedKind(relayer);
      const body = readBody[kind](relayer, value, now);
      if (kind === "solana") throw unsupportedOnSolana();
      const old = anyTransaction(state, relayerId, id);
      if (kind === "stellar") return { data: old };
      refuseFinalTransaction(old, "replace");
      const network = chainNetwork(state, relayer);
      const prices = raisedPrices({ market: chain.market, network, relayer, old }, body);
      refuseTooMuch(chain.balance, wireAmount(body.value) ?? 0n);
      const { nonce: _, is_canceled: __, ...fields } = evmTransactionFields(relayer, body);
      const changed = { ...old, ...fields, ...prices, ...withdrawWorkerCancellation(old) };
      const replaced = { ...changed, ...chain.signed(state, changed) };
      updateState(state, replaced, now);
      replaceInWorker(state, { relayer, old, record: replaced }, now, replacementStyle(state.hashes));
      return { data: replaced };
    });
  };
}

export const replaceTransaction = replacingTransactionBy((store, relayerId, now) =>
  store.read((state) => {
    const relayer = lookUpActiveRelayer(state, relayerId);
    const market = chainMarket(state, chainNetwork(state, relayer), now);
    return { market, balance: servedBalance(state, relayer, now), signed: nextHashAndSignature };
  }),
);

function refuseTooMuch(balance: bigint, value: bigint): void {
  if (value > balance) throw new Refusal(400, `Relayer balance ${balance} is insufficient to cover ${value}`);
}

/** Returns the higher of the market's price and the old one plus a tenth, rounded down (facts 13.7, 15.1). */
function raisedPrices(pricing: Omit<Pricing, "speed">, body: JsonObject): JsonObject {
  const speed = String(body.speed ?? pricing.old.speed ?? "fast");
  const prices = workerStoredPrices({ ...pricing, speed });
  if (prices) return { ...workerPriceTexts(prices), speed };
  throw new Refusal(400, "Unable to calculate sufficient price bump for speed-based replacement");
}

/**
 * Returns the timing of the service's workers: a block is noticed after 8 to 12 s (facts 15.8), a replacement is priced
 * and signed again after 1 to 3 s (facts 16.2), and new transactions overtake one another (facts 13.4). Depends only on
 * the seed.
 */
export function replacementStyle(seed: number): WorkerStyle {
  return {
    prepares: pickBetween(500, 1500, seed),
    notices: pickBetween(8000, 12_000, seed),
    reprices: pickBetween(1000, 3000, seed),
  };
}

/** Returns a number of milliseconds within these bounds, the same for the same seed. */
function pickBetween(least: number, most: number, seed: number): number {
  return least + (Number.parseInt(hexDigits(seed, 6), 16) % (most - least + 1));
}
