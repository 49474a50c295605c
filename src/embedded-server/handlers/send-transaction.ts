import { wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { replacementSchemas, transactionSchemas, transactionShapes } from "../../contract/requests.ts";
import { pastProblem } from "../../contract/transaction/past-problem.ts";
import {
  DEFAULT_STELLAR_FEE,
  type EvmReplacement,
  type SolanaReplacement,
  type StellarReplacement,
} from "../../contract/transaction/replacement-price.ts";
import { workerPriceTexts, workerStoredPrices } from "../chain/market.ts";
import { chainPricing } from "../chain/network-chains.ts";
import { digitSeed, evmSignatureDigits, hashDigits } from "../digits.ts";
import { type Handler, handlerJsonBody, validForHandler } from "../handler.ts";
import { failingLifecycle, newLifecycle } from "../lifecycle/lifecycle.ts";
import { Refusal, replacedMissing } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { type ServerState, updateState } from "../state/state.ts";
import { evmTransactionFields, stellarTransactionFields } from "../transaction/fields.ts";
import { lookUpActiveRelayer, lookUpKind, refuseFinalLookup, refuseIdleLookup } from "../transaction/lookup.ts";
import { followReplacement, type WorkerStyle, withdrawWorkerCancellation } from "../worker/submit.ts";
import { timestampText } from "../world.ts";

/** Returns an error that only the preparation of an accepted body will find. */
export type FindFlaw = (relayer: Resource, body: JsonValue) => string | undefined;

/** Sends a transaction. The response is `pending`; the rest happens over time (facts 3.4). */
export function sendingTransactionBy(
  accept: Accept,
  flawOf: FindFlaw = () => undefined,
  styleFor: (seed: number) => WorkerStyle = () => ({}),
): Handler {
  return async ({ ids: [relayerId = ""], request, store, random, now }) => {
    const body = handlerJsonBody(request);
    return store.change((state) => {
      const relayer = lookUpActiveRelayer(state, relayerId);
      const created = {
        id: random.uuid(),
        relayer_id: relayer.id,
        status: "pending",
        status_reason: null,
        created_at: timestampText(now),
        sent_at: null,
        confirmed_at: null,
        hash: null,
        ...accept(relayer, body, now),
      };
      state.transactions.put(created);
      const flaw = flawOf(relayer, body);
      const { id } = created;
      const { prepares, notices } = styleFor(digitSeed(id));
      const begun =
        flaw === undefined ? newLifecycle(id, now, untilIn(body), prepares) : failingLifecycle(id, now, flaw);
      state.lifecycles.set(id, { ...begun, ...(notices !== undefined && { notices }) });
      return { data: created };
    });
  };
}

/** Returns the time limit: seconds on Stellar, otherwise RFC 3339; an unreadable one is ignored (facts 5.7). */
function untilIn(body: JsonValue): number | undefined {
  const { valid_until: until } = objectIn(body);
  if (typeof until !== "string") return undefined;
  const timestamp = /^[0-9]+$/.test(until) ? Number(until) * 1000 : Date.parse(until);
  return Number.isFinite(timestamp) ? timestamp : undefined;
}

/** Returns the fields of a new transaction from its body, after validating it. @throws Refusal */
export type Accept = (relayer: Resource, body: JsonValue, now: number) => JsonObject;

const acceptByContract: Accept = (relayer, value, now) => {
  const kind = lookUpKind(relayer);
  const body = validForHandler(transactionShapes[kind], value);
  refuseByRules(kind, body, relayer, now);
  return fieldsOf[kind](relayer, body);
};

export const sendTransaction = sendingTransactionBy(acceptByContract);

/** Validates a transaction by itself and its relayer's policy, in the words of facts 5. @throws Refusal */
function refuseByRules(kind: NetworkKind, body: JsonObject, relayer: Resource, now: number): void {
  // Stellar's is validated by the network (facts 5.7).
  const past = kind === "stellar" ? undefined : pastProblem("evm", body.valid_until, now);
  const [first] = [
    ...relayerRules[kind](body, relayer).map(({ rule }) => rule),
    ...(transactionSchemas[kind].safeParse(body).error?.issues.map(({ message }) => message) ?? []),
    ...(past === undefined ? [] : [past]),
  ];
  if (first !== undefined) throw new Refusal(400, first);
}

export const fieldsOf: Record<NetworkKind, (relayer: Resource, body: JsonObject) => JsonObject> = {
  evm: evmTransactionFields,
  solana: (_, { transaction = "", instructions }) => ({ transaction, ...(instructions && { instructions }) }),
  stellar: stellarTransactionFields,
};

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
    refuseIdleLookup(relayer);
    const kind = lookUpKind(relayer);
    const validated = validForHandler(replacementSchemas[kind], body);
    const old = state.transactions.get(id);
    if (old?.relayer_id !== relayerId) throw replacedMissing();
    refuseFinalLookup(old, "replace");
    state.hashes += 1;
    const prices = pricesBySpeed(state, { relayer, old, body }, now);
    const replaced = {
      ...old,
      ...CHANGES[kind](old, validated as never, state.hashes),
      ...prices,
      ...withdrawWorkerCancellation(old),
    };
    updateState(state, replaced, now);
    followReplacement(state, { relayer, old, record: replaced }, now, prices ? BY_SPEED : {});
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
  if (typeof speed !== "string" || lookUpKind(relayer) !== "evm") return undefined;
  const prices = workerStoredPrices({ ...chainPricing(state, relayer, now), old, speed });
  return prices && workerPriceTexts(prices);
}
