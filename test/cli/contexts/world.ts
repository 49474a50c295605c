import type { Transport } from "../../../src/client/transport/transport.ts";
import type { Config } from "../../../src/config/config.ts";
import type { ServerStore } from "../../../src/embedded-server/state/store.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { NOW, serviceWith, well } from "../../commands/doctor/sick.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { TOKEN, type World } from "../../helpers/test-app.ts";

/** What each service was asked, by context. */
export interface Seen {
  requests: string[];
  world: World;
}

export function origin(name: string): string {
  return `https://${name.toLowerCase()}.example.org`;
}

export function configOf(
  names: readonly string[],
  more: Record<string, Partial<Config["contexts"][string]>> = {},
): Config {
  const contexts = names.map((name) => [name, { server: origin(name), token: TOKEN, ...more[name] }]);
  return { version: 1, current: names[0] ?? "", contexts: Object.fromEntries(contexts) };
}

export function serviceOver(store: ServerStore = demoStore()): Transport {
  return testServer({ store, clock: manualClock(NOW, new AbortController().signal) });
}

export function worldOf(services: Readonly<Record<string, Transport>>, more: World = {}): Seen {
  const requests: string[] = [];
  const nodes = Object.entries(services).map(([name, service]): [string, Transport] => [
    origin(name),
    (request, limits) => {
      requests.push(`${name} ${request.method} ${request.target}`);
      return service(request, limits);
    },
  ]);
  const config = configOf(Object.keys(services));
  return { requests, world: { env: {}, config, nodes: Object.fromEntries(nodes), ...more } };
}

export function fleetOf(...ids: readonly string[]): Transport {
  return serviceOver(serviceWith(ids.map((id) => well({ id, name: id }))));
}

export const down: Transport = async () => {
  throw new RelayctlError("network", "connection refused");
};
