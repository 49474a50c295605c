import { parseJson } from "../../../../src/contract/json.ts";
import type { InjectedFailure } from "../../../../src/contract/serving.ts";
import { openzeppelinDialect } from "../../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../../src/embedded-server/state/store.ts";
import { localState, START } from "../../../embedded-server/ask.ts";
import { cli, TOKEN, type World } from "../../../helpers/cli.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** A receiver that lacks digits: what is sent to it can never be signed. */
export const MALFORMED = { to: "0x12" };
/** Below the base fee of 1 gwei: the node refuses it. */
export const TOO_LOW = { speed: undefined, max_fee_per_gas: 500_000_000, max_priority_fee_per_gas: 100_000_000 };

/** The real service with `local-1`, and its chain with a block every second. Time passes only while something waits. */
export function jam({ relayer = {}, failures = [] }: { relayer?: object; failures?: InjectedFailure[] } = {}) {
  const { signal } = new AbortController();
  const clock = manualClock(START, signal);
  const state = localState();
  const local = state.relayers.get("local-1");
  if (local) state.relayers.put({ ...local, ...relayer });
  let ids = 0;
  const random = { uuid: () => `10000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0 };
  const options = {
    token: TOKEN,
    store: memoryStore(state),
    clock,
    random,
    dialect: openzeppelinDialect(random),
    failures,
  };
  const server = createEmbeddedServer(options);
  const ask = async (method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const target = `/api/v1/relayers/local-1${path}`;
    const reply = await server({ method, target, headers, ...(body && { body: JSON.stringify(body) }) });
    return parseJson(new TextDecoder().decode(reply.body)) as { data: Record<string, unknown> };
  };
  return {
    state,
    service: server,
    /** Sends transfers of 1 wei, one after another, and returns their IDs once all have a nonce. */
    async send(...bodies: object[]): Promise<string[]> {
      const sent: string[] = [];
      for (const body of bodies) {
        const { data } = await ask("POST", "/transactions", { to: TO, value: "1", speed: "fast", ...body });
        sent.push(String(data.id));
        await clock.sleep(3_000);
      }
      return sent;
    },
    cancel: (id: string) => ask("DELETE", `/transactions/${id}`),
    async statuses(...all: string[]): Promise<unknown[]> {
      return await Promise.all(all.map(async (id) => (await ask("GET", `/transactions/${id}`)).data.status));
    },
    record: async (id: string) => (await ask("GET", `/transactions/${id}`)).data,
    pass: (seconds: number) => clock.sleep(seconds * 1000),
    run: (line: string, world: World = {}) => cli(line, { service: server, clock, interrupt: signal, ...world }),
  };
}
