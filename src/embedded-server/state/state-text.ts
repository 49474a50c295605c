import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, prettyJson } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import { chainIn, chainToJson } from "../chain/stored-chain.ts";
import { lifecycleIn, lifecycleToJson } from "../lifecycle/lifecycle.ts";
import { demoPlugins } from "../seed/plugins.ts";
import { demoSigners } from "../seed/signers.ts";
import type { Resource } from "./collection.ts";
import { createState, healthCheckIn, type KeptState, type ServerState } from "./state.ts";

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
