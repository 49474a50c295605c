import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, prettyJson } from "../../contract/json.ts";
import { count, identified, listShape, number, objectShape, type Shape, text } from "../../contract/reply/shape.ts";
import { RelayctlError } from "../../errors.ts";
import { chainShape, type KeptChain, simChainFromJson, simChainToJson } from "../chain/sim-chain.ts";
import { type Lifecycle, lifecycleFrom, lifecycleShape } from "../lifecycle/lifecycle.ts";
import { demoPlugins, demoSigners } from "../seed/signers-and-plugins.ts";
import type { Resource } from "./collection.ts";
import { createServerState, type KeptState, type ServerState } from "./state.ts";
import type { ServerStore } from "./store.ts";

const VERSION = 1;
const OTHERS = ["notifications", "transactions", "networks", "signers", "plugins"] as const;

/** Returns the state as JSON, without generated resources. It contains signing keys and whole RPC URLs. */
export function stateToText(state: ServerState): string {
  const { fleet, relayers, hashes, lifecycles, checks, chains } = state;
  const kept = {
    version: VERSION,
    fleet,
    relayers: relayers.held(),
    removed: relayers.removed(),
    ...Object.fromEntries(OTHERS.map((noun) => [noun, state[noun].held()])),
    hashes,
    courses: [...lifecycles.values()],
    checks: [...checks.values()],
    chains: [...chains].map(([network, chain]) => simChainToJson(network, chain)),
  };
  return `${prettyJson(kept)}\n`;
}

/** @throws RelayctlError without the text; `name` is its origin, and `hint` the command that helps */
export function stateFromText(text: string, name = "the state of the embedded server", hint?: string): ServerState {
  try {
    return createServerState(keptState(parseJson(text)));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof StateError)) throw error;
    throw new RelayctlError("usage", `${name} cannot be read: ${error.message}`, hint === undefined ? {} : { hint });
  }
}

class StateError extends Error {}

const healthCheck = objectShape({ id: text, due: number, retries: number });

function keptState(kept: JsonValue): KeptState {
  if (!isJsonObject(kept)) throw new StateError("not a JSON object");
  if (kept.version !== VERSION) throw new StateError("written by another version of relayctl");
  const resources = (name: string, value = kept[name]) =>
    readList<Resource>(value, identified, `${name} must be a list of objects with an id`);
  return {
    fleet: wholeNumber(kept.fleet, "fleet"),
    relayers: resources("relayers"),
    removed: readList<string>(kept.removed ?? [], text, "removed must be a list of ids"),
    notifications: resources("notifications"),
    transactions: resources("transactions"),
    ...(kept.networks !== undefined && { networks: resources("networks") }),
    signers: kept.signers === undefined ? demoSigners : resources("signers"),
    plugins: kept.plugins === undefined ? demoPlugins : resources("plugins"),
    hashes: wholeNumber(kept.hashes, "hashes"),
    lifecycles: readList<Lifecycle>(
      kept.courses ?? [],
      lifecycleShape,
      "courses must be a list of transaction lifecycles",
    ).map(lifecycleFrom),
    checks: readList(kept.checks ?? [], healthCheck, "checks must be a list of health checks"),
    ...(kept.chains !== undefined && {
      chains: readList<KeptChain>(kept.chains, chainShape, "chains must be a list of chains").map(simChainFromJson),
    }),
    broadcast: resources("broadcast", kept.broadcast ?? []),
  };
}

function wholeNumber(value: JsonValue | undefined, name: string): number {
  if (count(value) !== undefined) throw new StateError(`${name} must be a whole number of 0 or more`);
  return Number(value);
}

function readList<T>(value: JsonValue | undefined, shape: Shape, why: string): readonly T[] {
  if (listShape(shape)(value) !== undefined) throw new StateError(why);
  return value as unknown as readonly T[];
}

/** A text that outlives the process. Its implementation provides the lock and the safe write. */
export interface KeptText {
  load(): Promise<string | undefined>;
  /** Reads, edits, and writes without other writers. Writes nothing if the edit throws. */
  change(edit: (text: string | undefined) => string): Promise<void>;
}

/** Writes the seed at the first read, so that times stay. An unreadable text is a usage error, and stays unchanged. */
export function stateTextStore(kept: KeptText, seed: () => ServerState, name?: string, hint?: string): ServerStore {
  const stateFrom = (text: string | undefined) => (text === undefined ? seed() : stateFromText(text, name, hint));
  return {
    async read(look) {
      const text = await kept.load();
      if (text !== undefined) return look(stateFrom(text));
      // Where nothing can be written, a read shows the seed nevertheless.
      await kept.change((other) => other ?? stateToText(seed())).catch(() => {});
      return look(stateFrom(await kept.load()));
    },
    async change<T>(edit: (state: ServerState) => T): Promise<T> {
      const results: T[] = [];
      await kept.change((text) => {
        const state = stateFrom(text);
        results.push(edit(state));
        return stateToText(state);
      });
      return results[0] as T;
    },
  };
}
