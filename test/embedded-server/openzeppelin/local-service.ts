import type { InjectedFailure } from "../../../src/contract/serving.ts";
import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { askDemo, localState, stoppedClock, UUID } from "../ask.ts";

export const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

interface OnChain {
  hash: string;
  to: string;
  value: string;
  blockNumber: string | null;
}

/**
 * The real service with `local-1`, a block every second, and its records and chain. Times are seconds after the start.
 */
export function localService(
  changes: {
    relayer?: object;
    network?: object;
    failures?: InjectedFailure[];
    pricesChangeSince?: number;
    expireAfter?: number;
    /** Speaks like the interface, as `--demo` does. */
    isDemo?: true;
  } = {},
) {
  const state = localState();
  const change = (resource: Resource | undefined, fields: object = {}) => ({ ...resource, ...fields }) as Resource;
  state.relayers.put(change(state.relayers.get("local-1"), changes.relayer));
  state.networks.put(change(state.networks.get("evm:localhost"), changes.network));
  const clock = stoppedClock();
  let ids = 0;
  const random = { uuid: () => `${UUID.slice(0, -2)}${String(++ids).padStart(2, "0")}`, fraction: () => 0 };
  const { failures = [], pricesChangeSince, expireAfter } = changes;
  const prices = pricesChangeSince === undefined ? {} : { pricesChangeSince };
  const expiry = expireAfter === undefined ? {} : { expireAfter };
  const dialect = changes.isDemo ? {} : { dialect: openzeppelinDialect(random) };
  const ask = askDemo({ store: memoryStore(state), clock, random, ...dialect, failures, ...prices, ...expiry });
  const bodyFor = (body: object) => (changes.isDemo ? inInterface(body) : body);
  const relayer = "/relayers/local-1";
  const at = (seconds: number) => {
    clock.time = seconds * 1000;
  };

  async function node<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    return JSON.parse((await ask("POST", `${relayer}/rpc`, { method, params })).text).result;
  }

  return {
    ask,
    at,
    state,
    node,
    bodyFor,
    /** Sends a transfer of 1 wei. */
    async send(body: object = {}): Promise<string> {
      const fields = bodyFor({ to: TO, value: "1", speed: "fast", ...body });
      const { data } = await ask("POST", `${relayer}/transactions`, fields);
      return String(data.id);
    },
    record: async (id: string, seconds: number) => {
      at(seconds);
      return (await ask("GET", `${relayer}/transactions/${id}`)).data;
    },
    replace: async (id: string, body: object = {}) =>
      (await ask("PUT", `${relayer}/transactions/${id}`, { to: TO, value: "2", speed: "fast", ...body })).data,
    cancel: async (id: string) => (await ask("DELETE", `${relayer}/transactions/${id}`)).data,
    setCap: (gas_price_cap: number | null) => ask("PATCH", relayer, { policies: { gas_price_cap } }),
    byHash: (hash: unknown) => node<OnChain | null>("eth_getTransactionByHash", hash),
    /** The transaction that used a nonce. */
    async minedAt(nonce: number): Promise<OnChain | undefined> {
      const relayerData = state.relayers.get("local-1");
      const found = await node<OnChain | null>(
        "eth_getTransactionBySenderAndNonce",
        relayerData?.address,
        `0x${nonce.toString(16)}`,
      );
      return found?.blockNumber ? found : undefined;
    },
  };
}

/** Returns a body as the interface wants it: amounts are numbers, and what is not set is left out. */
function inInterface(body: object): string {
  const set = Object.entries(body).filter(([, value]) => value !== null);
  return JSON.stringify(Object.fromEntries(set)).replace(/"value":"([0-9]+)"/, '"value":$1');
}
