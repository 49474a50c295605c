import type { ApiResult } from "../../../client/api-result.ts";
import { isJsonObject } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Network } from "../../../contract/resources/network.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { lacksRoute } from "../../relayers/live/read-statuses.ts";
import { unhealthyParts } from "../../server/ready.ts";
import type { Clocks, Fact, Readiness, ServiceFacts } from "../facts.ts";
import { type Asked, factOf, missingFact, type Ration, whyMissing } from "./ration.ts";

/** What the service shows before any relayer is examined. */
export type ServiceRead = Omit<ServiceFacts, "limited" | "journal" | "local">;

const UNREACHED = "the service does not respond";
const UNREAD = "the relayers could not be listed";

/** Reads the service: its health, its readiness, and its lists. @param now the time of this machine */
export async function readService(ration: Ration, now: () => number): Promise<ServiceRead> {
  const health = await ration.ask((client) => client.server.health());
  const clock = clockOf(health, now());
  if ("failure" in health && health.failure.failure === "network") {
    const skipped = { skipped: UNREACHED };
    return {
      health: { value: health.failure.message },
      token: skipped,
      ready: skipped,
      clock,
      certificate: skipped,
      relayers: { ...skipped, failure: health.failure },
      networks: skipped,
      notifications: skipped,
    };
  }
  const [ready, relayers] = await Promise.all([
    ration.ask((client) => client.server.ready()),
    ration.ask((client) => wholeList(client.relayers.list())),
  ]);
  const refused = "failure" in relayers && relayers.failure.failure === "auth" ? relayers.failure.message : undefined;
  const others =
    "value" in relayers
      ? await Promise.all([
          ration.ask((client) => wholeList(client.networks.list())),
          ration.ask((client) => wholeList(client.notifications.list())),
        ])
      : ([{ skipped: UNREAD }, { skipped: UNREAD }] as const);
  return {
    health: healthOf(health, relayers),
    token: "skipped" in relayers ? relayers : { value: refused },
    ready: readinessOf(ready),
    clock,
    certificate: "value" in health ? { value: health.value.head?.certificateEnds?.() } : missingFact(health),
    relayers: "value" in relayers ? relayers : { skipped: whyMissing(relayers), failure: failureOf(relayers) },
    networks: newerFact(others[0]),
    notifications: newerFact(others[1]),
  };
}

/** Returns the fact of a list that old services do not have: it is then no failure that it is missing. */
function newerFact<T>(asked: Asked<T>): Fact<T> {
  const isOld = "failure" in asked && lacksRoute(asked.failure);
  return isOld ? { skipped: asked.failure.message } : factOf(asked);
}

async function wholeList<T>(pages: AsyncIterable<{ items: readonly T[] }>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const { items } of pages) found.push(...items);
  return found;
}

/** Returns why nothing was examined, as any other command would end. */
function failureOf(asked: Exclude<Asked<unknown>, { value: unknown }>): RelayctlError {
  const found = "failure" in asked ? asked.failure : asked.by;
  return found ?? new RelayctlError("network", whyMissing(asked));
}

/** The list counts too: a service that responds to a health check alone does not work. */
function healthOf(health: Asked<ApiResult>, list: Asked<unknown>): Fact<string | undefined> {
  if ("failure" in list && list.failure.failure !== "auth")
    return { value: `the relayers cannot be listed: ${list.failure.message}` };
  if (!("value" in health)) return "value" in list ? { value: undefined } : factOf(health);
  const words = new TextDecoder().decode(health.value.body).trim();
  return { value: words === "OK" ? undefined : "it responds to a health check, but not with OK" };
}

function readinessOf(ready: Asked<ApiResult>): Fact<Readiness> {
  if ("failure" in ready && ready.failure.http?.status === 404)
    return { skipped: "services before v1.4 do not show whether they are ready" };
  if (!("value" in ready)) return missingFact(ready);
  const { data } = ready.value;
  return { value: { isReady: data.ready === true, parts: unhealthyParts(data.components) } };
}

function clockOf(health: Asked<ApiResult>, here: number): Fact<Clocks> {
  if (!("value" in health)) return missingFact(health);
  const service = receivedTime(health.value.head?.headers.date);
  return Number.isFinite(service) ? { value: { service, here } } : { skipped: "its responses show no date" };
}

/** Returns the network of a relayer among those of the service. */
export function networkOf(networks: readonly Network[], { network, network_type: kind }: Relayer): Network | undefined {
  const isOwn = (each: Network) => isJsonObject(each) && each.name === network && each.network_type === kind;
  return networks.find(isOwn);
}
