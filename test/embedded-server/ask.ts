import type { Method, WireReply } from "../../src/contract/wire.ts";
import { createEmbeddedServer, type EmbeddedServerOptions } from "../../src/embedded-server/server.ts";
import type { ServerState } from "../../src/embedded-server/state/state.ts";
import type { ServerClock } from "../../src/embedded-server/world.ts";
import { demoStore, seedState } from "../helpers/seed-state.ts";

export const TOKEN = "demo-token-of-the-tests";
export const UUID = "3f0c2f57-7d0e-4c2e-9d43-0a1b2c3d4e5f";

/** A response. Large integers are rounded in all but its text. */
interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The envelope; nothing for an empty body, and for a text. */
  json: { message?: string; pagination?: object } | undefined;
  /** `data`, when it is an object. */
  data: Record<string, unknown>;
  /** `data`, when it is a list. */
  items: Record<string, unknown>[];
}

/** A request as a client would send it; a string body is sent as it is. */
export type ApiRequest = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

/** A server with the story's state, and a way to ask it without sockets. */
export function askDemo(options: Partial<EmbeddedServerOptions> = {}): ApiRequest {
  const server = createEmbeddedServer({
    token: TOKEN,
    store: demoStore(),
    clock: stoppedClock(),
    random: { uuid: () => UUID, fraction: () => 0.5 },
    ...options,
  });
  return async (method, path, body, headers = {}) => {
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const all = { authorization: `Bearer ${TOKEN}`, ...type, ...headers };
    return readable(await server({ method, target: `/api/v1${path}`, headers: all, ...sent }));
  };
}

function readable({ status, headers, body }: WireReply): Reply {
  const text = new TextDecoder().decode(body);
  const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
  const isList = Array.isArray(json?.data);
  return { status, headers, text, json, data: isList ? {} : (json?.data ?? {}), items: isList ? json.data : [] };
}

/** The demo seed and one relayer more, `local-1`, on a network with a block every second and no tags. */
export function localState(): ServerState {
  const state = seedState("demo");
  state.networks.put({
    id: "evm:localhost",
    name: "localhost",
    network_type: "evm",
    rpc_urls: [{ url: "http://127.0.0.1:8545", weight: 100 }],
    average_blocktime_ms: 1000,
    chain_id: 31_337,
    required_confirmations: 1,
  });
  state.relayers.put({
    id: "local-1",
    name: "Local 1",
    network: "localhost",
    network_type: "evm",
    address: LOCAL,
    signer_id: "signer-local",
    paused: false,
    system_disabled: false,
    policies: { eip1559_pricing: true },
  });
  return state;
}

export const LOCAL = "0x976ea74026e726554db657fa54763abd0c3a0aa9";

export const START = Date.parse("2026-11-21T03:12:07Z");

/** A clock that only moves when a test moves it, and notes each requested wait. */
export function stoppedClock(): ServerClock & { time: number; slept: number[] } {
  const clock = {
    time: 0,
    slept: [] as number[],
    now: () => START + clock.time,
    elapsed: () => clock.time,
    sleep: async (milliseconds: number) => {
      clock.slept.push(milliseconds);
    },
  };
  return clock;
}
