import { LATE } from "../../chain/node/node.ts";
import { countReads } from "../../client/bulk/count-reads.ts";
import type { BulkCounts } from "../../client/bulk/run-all.ts";
import type { Clock } from "../../client/clock.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import { lacksRoute } from "../../client/read-named.ts";
import type { ApiResult } from "../../client/request.ts";
import { isEvmSymbol, knownSymbol } from "../../contract/amount.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Network } from "../../contract/resources/network.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { unhealthyServiceParts } from "../../contract/service-parts.ts";
import { interruptedError, RelayctlError } from "../../errors.ts";
import { refuseMissing } from "../../relayer-state/health.ts";
import { stateRank } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { MOST_RELAYERS } from "../codes.ts";
import type { Accepted, Clocks, Fact, Facts, Missing, Pause, Readiness, RelayerFacts, ServiceFacts } from "../facts.ts";
import { cautiousFactTime } from "../facts.ts";
import {
  createDoctorRation,
  missingRationedFact,
  type Ration,
  type Rationed,
  type Rationing,
  rationedFact,
  whyRationMissing,
} from "./ration.ts";
import { type RelayerRead, readRelayer, unreadRelayerChain } from "./read-relayer.ts";

const UNREACHED = "the service does not respond";
const UNREAD = "the relayers could not be listed";

async function readService(ration: Ration, now: () => number) {
  const health = await ration.ask((client) => client.server.health());
  const clock = clockFact(health, now());
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
    ration.ask((client) => collectItems<Relayer>(client.relayers.list())),
  ]);
  const refused =
    "failure" in relayers && relayers.failure.failure === "auth"
      ? { message: relayers.failure.message, isGateway: relayers.failure.subject?.kind === "gateway" }
      : undefined;
  const others =
    "value" in relayers
      ? await Promise.all([
          ration.ask((client) => collectItems<Network>(client.networks.list())),
          ration.ask((client) => collectItems<Notification>(client.notifications.list())),
        ])
      : ([{ skipped: UNREAD }, { skipped: UNREAD }] as const);
  return {
    health: healthFact(health, relayers),
    token: "skipped" in relayers ? relayers : { value: refused },
    ready: readinessFact(ready),
    clock,
    certificate: "value" in health ? { value: health.value.head?.certificateEnds?.() } : missingRationedFact(health),
    relayers: "value" in relayers ? relayers : { skipped: whyRationMissing(relayers), failure: unreadError(relayers) },
    networks: newerFact(others[0]),
    notifications: newerFact(others[1]),
  };
}

/** Returns the fact of a list that old services do not have: it is then no failure that it is missing. */
function newerFact<T>(asked: Rationed<T>): Fact<T> {
  // In an envelope, a 404 of a list is a failure: a service without the route has none (facts 1.6).
  const isOld = "failure" in asked && asked.failure.failure === "rejected" && lacksRoute(asked.failure);
  return isOld ? { skipped: asked.failure.message } : rationedFact(asked);
}

/** Returns the error of a doctor that could examine nothing, with the exit code of the failed request. */
function unreadError(asked: Exclude<Rationed<unknown>, { value: unknown }>): RelayctlError {
  const found = "failure" in asked ? asked.failure : asked.by;
  return found ?? new RelayctlError("network", whyRationMissing(asked));
}

/** The list counts, too: a service that only responds to a health check does not work. */
function healthFact(health: Rationed<ApiResult>, list: Rationed<unknown>): Fact<string | undefined> {
  if ("failure" in list && list.failure.failure !== "auth")
    return { value: `the relayers cannot be listed: ${list.failure.message}` };
  if (!("value" in health)) return "value" in list ? { value: undefined } : rationedFact(health);
  const words = new TextDecoder().decode(health.value.body).trim();
  return { value: words === "OK" ? undefined : "it responds to a health check, but not with OK" };
}

function readinessFact(ready: Rationed<ApiResult>): Fact<Readiness> {
  if ("failure" in ready && lacksRoute(ready.failure))
    return { skipped: "services before v1.4 do not show whether they are ready" };
  if (!("value" in ready)) return missingRationedFact(ready);
  const { data } = ready.value;
  return { value: { isReady: data.ready === true, parts: unhealthyServiceParts(data.components) } };
}

function clockFact(health: Rationed<ApiResult>, here: number): Fact<Clocks> {
  if (!("value" in health)) return missingRationedFact(health);
  const service = receivedTime(health.value.head?.headers.date);
  return Number.isFinite(service) ? { value: { service, here } } : { skipped: "its responses show no date" };
}

const AT_ONCE = 16;
export interface WantedFacts {
  ids: readonly string[] | undefined;
  all: boolean;
  isClose: boolean;
}

export interface Examiner {
  session: Pick<Session, "briefly" | "remaining" | "ownNode" | "flags">;
  clock: Clock;
  interrupt: AbortSignal;
  isDemo: boolean;
  /** Called with the read relayers; undefined once all have ended. */
  count?: (counts: BulkCounts | undefined) => void;
  readHere(relayers: readonly Relayer[]): Promise<HereRead>;
}

interface HereRead extends Pick<ServiceFacts, "journal" | "local"> {
  pauses: Fact<ReadonlyMap<string, Pause>>;
  accepted: Fact<ReadonlyMap<string, readonly Accepted[]>>;
}

/** The facts, and the number of relayers that were left out because there are too many. */
export interface FactsRead extends Facts {
  leftOut: number;
}

/** Reads the facts for the checks; a failed read becomes a fact. @throws RelayctlError not_found, interrupted */
export async function readFacts(examiner: Examiner, wanted: WantedFacts): Promise<FactsRead> {
  const { session, clock, interrupt, isDemo } = examiner;
  let limited = 0;
  const rationing: Rationing = { session, limited: () => limited++ };
  const service = await readService(createDoctorRation(rationing), () => clock.now());
  const all = "value" in service.relayers ? service.relayers.value : [];
  const chosen = "value" in service.relayers ? chosenFrom(all, wanted, session) : [];
  const { journal, local, pauses, accepted } = await examiner.readHere(chosen);
  const shared = new Map();
  const now = cautiousFactTime(service.clock, clock.now());
  const jobs = chosen.map((relayer) => ({
    id: relayer.id,
    run: async () => {
      const network = networkFact(service.networks, relayer);
      const read = wanted.isClose
        ? await readRelayer({ ...rationing, session, relayer, network, all, shared, isDemo, now })
        : unreadRelayer(network, { skipped: "no chosen check needs it" });
      return relayerFacts(relayer, network, { ...read, pause: pauses, accepted });
    },
  }));
  const completed = await countReads(jobs, { concurrency: AT_ONCE, interrupt, clock, count: examiner.count }).done;
  if (interrupt.aborted) throw interruptedError(" while relayers were examined");
  const relayers = completed.map(({ value, error }, index): RelayerFacts => {
    if (value) return value;
    const relayer = chosen[index] as Relayer;
    const network = networkFact(service.networks, relayer);
    return relayerFacts(relayer, network, {
      ...unreadRelayer(network, missingRationedFact(error ? { failure: error } : { skipped: LATE })),
      pause: pauses,
      accepted,
    });
  });
  return {
    ...{ now, flags: session.flags, relayers, leftOut: wanted.ids ? 0 : all.length - chosen.length },
    service: { ...service, journal, local, limited: { value: limited } },
  };
}

/** Worst first, so that the relayers in trouble are examined. @throws RelayctlError not_found */
function chosenFrom(all: readonly Relayer[], { ids, all: isAll }: WantedFacts, session: Pick<Session, "flags">) {
  if (!ids) {
    const sorted = [...all].sort((one, other) => stateRank(one) - stateRank(other) || (one.id < other.id ? -1 : 1));
    return isAll ? sorted : sorted.slice(0, MOST_RELAYERS);
  }
  const byId = new Map(all.map((relayer) => [relayer.id, relayer]));
  const missing = ids.filter((id) => !byId.has(id));
  refuseMissing({ missing }, session);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function networkFact(networks: Fact<readonly Network[]>, relayer: Relayer): Fact<Network | undefined> {
  const { network, network_type: kind } = relayer;
  const isOwn = (each: Network) => each.name === network && each.network_type === kind;
  return "value" in networks ? { value: networks.value.find(isOwn) } : networks;
}

function relayerFacts(
  relayer: Relayer,
  network: Fact<Network | undefined>,
  read: RelayerRead & { pause: HereRead["pauses"]; accepted: HereRead["accepted"] },
): RelayerFacts {
  const shown = "value" in network ? network.value?.symbol : undefined;
  const symbol = isEvmSymbol(shown) ? shown : knownSymbol(String(relayer.network));
  const { pause, accepted } = read;
  const own = {
    pause: "value" in pause ? { value: pause.value.get(relayer.id) } : pause,
    accepted: "value" in accepted ? { value: accepted.value.get(relayer.id) ?? [] } : accepted,
  };
  return { relayer, symbol, read: { ...read, list: { value: relayer }, ...own } };
}

function unreadRelayer(network: Fact<Network | undefined>, fact: Missing): RelayerRead {
  return { network, status: fact, records: fact, ...unreadRelayerChain(fact) };
}
