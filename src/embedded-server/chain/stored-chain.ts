import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { Account, Chain, ChainTransaction, MinedTransaction } from "./chain.ts";

export function chainToJson(network: string, { accounts, waiting, mined, dropped, opening }: Chain): JsonObject {
  return {
    network,
    accounts: [...accounts].map(([address, { nonce, block }]) => ({ address, nonce, block })),
    waiting: waiting.map((each) => ({ ...each })),
    mined: mined.map((each) => ({ ...each })),
    dropped: dropped.map((each) => ({ ...each })),
    opening,
  };
}

/** Parses the result of `chainToJson`; returns undefined for anything else. */
export function chainIn(value: JsonValue): readonly [network: string, chain: Chain] | undefined {
  if (!isJsonObject(value) || typeof value.network !== "string") return undefined;
  const accounts = allIn(value.accounts, accountIn);
  const waiting = allIn(value.waiting, transactionIn);
  const mined = allIn(value.mined, minedIn);
  const dropped = allIn(value.dropped, transactionIn);
  if (!accounts || !waiting || !mined || !dropped) return undefined;
  // An earlier version of relayctl did not store it: balances then begin with what they were.
  const opening = typeof value.opening === "number" ? value.opening : (mined.at(-1)?.block ?? 0);
  return [value.network, { accounts: new Map(accounts), waiting, mined, dropped, opening }];
}

function allIn<T>(value: JsonValue | undefined, read: (each: JsonValue) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = value.map(read);
  return found.every((each) => each !== undefined) ? found : undefined;
}

function accountIn(value: JsonValue): readonly [string, Account] | undefined {
  const { address, nonce, block } = isJsonObject(value) ? value : {};
  const isAccount = typeof address === "string" && typeof nonce === "number" && typeof block === "number";
  return isAccount ? [address, { nonce, block }] : undefined;
}

function minedIn(value: JsonValue): MinedTransaction | undefined {
  const transaction = transactionIn(value);
  const block = isJsonObject(value) ? value.block : undefined;
  return transaction && typeof block === "number" ? { ...transaction, block } : undefined;
}

function transactionIn(value: JsonValue): ChainTransaction | undefined {
  if (!isJsonObject(value)) return undefined;
  const { hash, from, nonce, to = null, data, at } = value;
  const [amount, gas, fee, tip] = [value.value, value.gas, value.fee, value.tip].map((each) => wireAmount(each));
  if (typeof hash !== "string" || typeof from !== "string" || typeof data !== "string") return undefined;
  if (typeof nonce !== "number" || typeof at !== "number" || (to !== null && typeof to !== "string")) return undefined;
  if (amount === undefined || gas === undefined || fee === undefined || tip === undefined) return undefined;
  const [isLegacy, isChosen] = [value.isLegacy === true, value.isChosen === true];
  return { hash, from, nonce, to, value: amount, data, gas, fee, tip, isLegacy, at, isChosen };
}
