import type { ServeOptions as EmbeddedServeOptions } from "../../../src/contract/serving.ts";
import { type ServeWorld, serveEmbeddedServer } from "../../../src/embedded-server/serve.ts";
import { clock, random } from "../../../src/system.ts";
import { CANARY_TOKEN } from "../../helpers/scan.ts";

/** The embedded server in this process, which takes none to start. */
export interface EmbeddedService {
  env: { RELAYCTL_SERVER: string; RELAYCTL_TOKEN: string };
  /** The methods and targets of the requests that it has responded to. */
  requests: readonly string[];
  /** Returns what it has at a path below `/api/v1`, as another client of it sees it. */
  read(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** What is not as `relayctl serve` has it without flags. */
export type Settings = Partial<Omit<EmbeddedServeOptions, "listening" | "served" | "delivered">> &
  Partial<Pick<ServeWorld, "clock" | "random">>;

export async function serve(settings: Settings = {}): Promise<EmbeddedService> {
  const service = await openService(settings);
  onTestFinished(service.close);
  return service;
}

/** Starts a service that is closed by the test that opened it. */
export async function openService({ token = CANARY_TOKEN, ...settings }: Settings = {}): Promise<EmbeddedService> {
  const interrupt = new AbortController();
  const requests: string[] = [];
  let served: Promise<void> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    const options: EmbeddedServeOptions = {
      ...{ port: 0, token, seed: "demo", latency: 0, failures: [], dialect: "interface", ...settings },
      listening: async (found) => resolve(found),
      served: async ({ method, target }) => void requests.push(`${method} ${target}`),
      delivered: async () => {},
    };
    const world = { clock, random, ...settings, interrupt: interrupt.signal, deliver: async () => 200 };
    served = serveEmbeddedServer(options, world);
    served.catch(reject);
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    env: { RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: token },
    requests,
    async read(path) {
      const response = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { data: unknown }).data;
    },
    async close() {
      interrupt.abort("the test has ended");
      await served;
    },
  };
}
