import { wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { replacementSchemas } from "../../contract/requests.ts";
import {
  DEFAULT_STELLAR_FEE,
  type EvmReplacement,
  type SolanaReplacement,
  type StellarReplacement,
} from "../../contract/transaction/replacement-price.ts";
import { workerPriceTexts, workerStoredPrices } from "../chain/market.ts";
import { chainPricing } from "../chain/network-chains.ts";
import { evmSignatureDigits, hashDigits } from "../digits.ts";
import { type Handler, handlerJsonBody, validatedBody } from "../handler.ts";
import { replacedMissing } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, updateState } from "../state/state.ts";
import { refuseFinalTransaction, refuseInactiveRelayer, servedKind } from "../transaction/lookup.ts";
import { replaceInWorker, type WorkerStyle, withdrawWorkerCancellation } from "../worker/follow-change.ts";

/** Returns the changes of a transaction; `number` counts the hashes given out. */
const CHANGES: Record<NetworkKind, (old: JsonObject, body: never, number: number) => JsonObject> = {
  evm: evmChanges,
  solana: (_, { transaction }: SolanaReplacement, number) => ({ hash: hashDigits("solana", number), transaction }),
  stellar: stellarChanges,
};

/** Applies an EVM replacement: omitted fields are unset; the price follows from the old one. */
function evmChanges(old: JsonObject, body: EvmReplacement, number: number): JsonObject {
  return {
    hash: hashDigits("evm", number),
    to: body.to ?? null,
    value: String(body.value),
    data: body.data ?? null,
    gas_limit: body.gas_limit ?? null,
    ...replacementPrices(old, body),
    signature: evmSignatureDigits(number),
  };
}

/** Applies a Stellar replacement: its account shows, and the fee is a tenth higher, up to `max_fee`. */
function stellarChanges(old: JsonObject, body: StellarReplacement, number: number): JsonObject {
  const raised = raisedPrice(old.fee) ?? 0n;
  const most = BigInt(body.max_fee ?? DEFAULT_STELLAR_FEE);
  return {
    hash: hashDigits("stellar", number),
    source_account: body.source_account ?? old.source_account ?? null,
    fee: raised < most ? raised : most,
  };
}

/** Returns a replacement's prices as digits (interface 2.4): the requested or the raised old ones. */
function replacementPrices(old: JsonObject, body: EvmReplacement): JsonObject {
  if (body.gas_price !== undefined) {
    return { gas_price: String(body.gas_price), max_fee_per_gas: null, max_priority_fee_per_gas: null, speed: null };
  }
  if (body.max_fee_per_gas !== undefined || body.max_priority_fee_per_gas !== undefined) return feeAndTip(old, body);
  return {
    gas_price: raisedText(old.gas_price),
    max_fee_per_gas: raisedText(old.max_fee_per_gas),
    max_priority_fee_per_gas: raisedText(old.max_priority_fee_per_gas),
    speed: body.speed ?? old.speed ?? null,
  };
}

/** Returns fee and tip: the requested ones, or the raised old ones. The tip never exceeds the fee. */
function feeAndTip(old: JsonObject, body: EvmReplacement): JsonObject {
  const oldFee = raisedPrice(old.max_fee_per_gas) ?? 0n;
  const oldTip = raisedPrice(old.max_priority_fee_per_gas) ?? 0n;
  const requestedTip = BigInt(body.max_priority_fee_per_gas ?? 0);
  const fee = BigInt(body.max_fee_per_gas ?? (oldFee > requestedTip ? oldFee : requestedTip));
  const tip = BigInt(body.max_priority_fee_per_gas ?? (oldTip < fee ? oldTip : fee));
  return { gas_price: null, max_fee_per_gas: String(fee), max_priority_fee_per_gas: String(tip), speed: null };
}

function raisedText(old: JsonValue | undefined): string | null {
  const price = raisedPrice(old);
  return price === undefined ? null : String(price);
}

/** Returns an old price plus a tenth, rounded up, at least 1, as networks require; undefined without one. */
function raisedPrice(old: JsonValue | undefined): bigint | undefined {
  const price = wireAmount(old);
  if (price === undefined) return undefined;
  return price === 0n ? 1n : (price * 11n + 9n) / 10n;
}

/** Replaces a transaction (interface 4.3), with the checks in the order of facts 5.4. */
export const replaceTransaction: Handler = async ({ ids: [relayerId = "", id = ""], request, store, now }) => {
  const body = handlerJsonBody(request);
  return store.change((state) => {
    const relayer = state.relayers.get(relayerId);
    if (!relayer) throw replacedMissing();
    refuseInactiveRelayer(relayer);
    const kind = servedKind(relayer);
    const validated = validatedBody(replacementSchemas[kind], body);
    const old = state.transactions.get(id);
    if (old?.relayer_id !== relayerId) throw replacedMissing();
    refuseFinalTransaction(old, "replace");
    state.hashes += 1;
    const prices = pricesBySpeed(state, { relayer, old, body }, now);
    const replaced = {
      ...old,
      ...CHANGES[kind](old, validated as never, state.hashes),
      ...prices,
      ...withdrawWorkerCancellation(old),
    };
    updateState(state, replaced, now);
    replaceInWorker(state, { relayer, old, record: replaced }, now, prices ? BY_SPEED : {});
    return { data: replaced };
  });
};

/** Within the 1 to 3 s of the real service (facts 16.2). */
const BY_SPEED: WorkerStyle = { reprices: 1000 };

/** Returns the prices of an EVM replacement by speed; undefined without prices to raise. */
function pricesBySpeed(
  state: ServerState,
  { relayer, old, body }: { relayer: Resource; old: Resource; body: JsonValue },
  now: number,
): JsonObject | undefined {
  const speed = objectIn(body).speed;
  if (typeof speed !== "string" || servedKind(relayer) !== "evm") return undefined;
  const prices = workerStoredPrices({ ...chainPricing(state, relayer, now), old, speed });
  return prices && workerPriceTexts(prices);
}
