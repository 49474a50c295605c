import { wireAmount } from "../../contract/amount.ts";
import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  prettyJson,
} from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { Account, Chain, ChainTransaction, MinedTransaction } from "../chain/chain.ts";
import { lifecycleIn, lifecycleToJson } from "../lifecycle/lifecycle.ts";
import { demoPlugins, demoSigners } from "../seed/signers-and-plugins.ts";
import type { Resource } from "./collection.ts";
import { createState, healthCheckIn, type KeptState, type ServerState } from "./state.ts";
import type { ServerStore } from "./store.ts";

const VERSION = 1;

/** Returns the state as JSON, without generated resources. It contains signing keys and whole RPC URLs. */
export function stateToText({
  fleet,
  relayers,
  notifications,
  transactions,
  networks,
  signers,
  plugins,
  hashes,
  lifecycles,
  checks,
  chains,
}: ServerState): string {
  const kept = {
    version: VERSION,
    fleet,
    relayers: relayers.held(),
    removed: relayers.removed(),
    notifications: notifications.held(),
    transactions: transactions.held(),
    networks: networks.held(),
    signers: signers.held(),
    plugins: plugins.held(),
    hashes,
    courses: [...lifecycles.values()].map(lifecycleToJson),
    checks: [...checks.values()].map((check) => ({ ...check })),
    chains: [...chains].map(([network, chain]) => chainToJson(network, chain)),
  };
  return `${prettyJson(kept)}\n`;
}

/** Parses the result of `stateToText`. @throws RelayctlError without the text; `name` is its origin */
export function stateFromText(text: string, name = "the state of the embedded server"): ServerState {
  try {
    return createState(keptState(parseJson(text)));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof StateError)) throw error;
    throw new RelayctlError("usage", `${name} cannot be read: ${error.message}`);
  }
}

class StateError extends Error {}

function keptState(kept: JsonValue): KeptState {
  if (!isJsonObject(kept)) throw new StateError("not a JSON object");
  if (kept.version !== VERSION) throw new StateError("written by another version of relayctl");
  return {
    fleet: count(kept.fleet, "fleet"),
    relayers: resources(kept.relayers, "relayers"),
    removed: ids(kept.removed ?? []),
    notifications: resources(kept.notifications, "notifications"),
    transactions: resources(kept.transactions, "transactions"),
    ...(kept.networks !== undefined && { networks: resources(kept.networks, "networks") }),
    signers: kept.signers === undefined ? demoSigners : resources(kept.signers, "signers"),
    plugins: kept.plugins === undefined ? demoPlugins : resources(kept.plugins, "plugins"),
    hashes: count(kept.hashes, "hashes"),
    lifecycles: readList(kept.courses ?? [], lifecycleIn, "courses must be a list of transaction lifecycles"),
    checks: readList(kept.checks ?? [], healthCheckIn, "checks must be a list of health checks"),
    ...(kept.chains !== undefined && { chains: readList(kept.chains, chainIn, "chains must be a list of chains") }),
    broadcast: resources(kept.broadcast ?? [], "broadcast"),
  };
}

function count(value: JsonValue | undefined, field: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new StateError(`${field} must be a whole number of 0 or more`);
  return value;
}

function resources(value: JsonValue | undefined, field: string): Resource[] {
  if (!Array.isArray(value) || !value.every(isResource))
    throw new StateError(`${field} must be a list of objects with an id`);
  return value;
}

function readList<T>(value: JsonValue, read: (each: JsonValue) => T | undefined, why: string): T[] {
  if (!Array.isArray(value)) throw new StateError(why);
  return value.map((each) => {
    const found = read(each);
    if (found === undefined) throw new StateError(why);
    return found;
  });
}

function ids(value: JsonValue): string[] {
  if (!Array.isArray(value) || !value.every((id) => typeof id === "string"))
    throw new StateError("removed must be a list of ids");
  return value;
}

function isResource(value: JsonValue): value is Resource {
  return isJsonObject(value) && typeof value.id === "string";
}

function chainToJson(network: string, { accounts, waiting, mined, dropped, opening }: Chain): JsonObject {
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
function chainIn(value: JsonValue): readonly [network: string, chain: Chain] | undefined {
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

/** A text that outlives the process. Its implementation provides the lock and the safe write. */
export interface KeptText {
  load(): Promise<string | undefined>;
  /** Reads, edits, and writes without another writer in between. Nothing is written if the edit throws. */
  change(edit: (text: string | undefined) => string): Promise<void>;
}

/**
 * Creates a store over a text. It begins with the seed, which the first read writes, too, so that later ones find the same
 * times. A text that cannot be read is a `usage` error with its `name` (for a file, its path), and stays unchanged.
 */
export function textStore(kept: KeptText, seed: () => ServerState, name?: string): ServerStore {
  const buildState = (text: string | undefined) => (text === undefined ? seed() : stateFromText(text, name));
  return {
    async read(look) {
      const text = await kept.load();
      if (text !== undefined) return look(buildState(text));
      // Where nothing can be written, a read shows the seed nevertheless.
      await kept.change((other) => other ?? stateToText(seed())).catch(() => {});
      return look(buildState(await kept.load()));
    },
    async change<T>(edit: (state: ServerState) => T): Promise<T> {
      const results: T[] = [];
      await kept.change((text) => {
        const state = buildState(text);
        results.push(edit(state));
        return stateToText(state);
      });
      return results[0] as T;
    },
  };
}
