import { LATE } from "../../../chain/node/bounded.ts";
import type { Clock } from "../../../client/clock.ts";
import { runAll } from "../../../command-support/bulk/run.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { isEvmSymbol, knownSymbol } from "../../../contract/currency.ts";
import type { Network } from "../../../contract/resources/network.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { rankOf } from "../../relayers/state.ts";
import { refuseMissing } from "../../relayers/status/read.ts";
import type { Fact, Facts, Missing, Pause, RelayerFacts, ServiceFacts } from "../facts.ts";
import { cautiousNow } from "./cautious-now.ts";
import { createRation, missingFact, type Rationing } from "./ration.ts";
import { readRelayer } from "./read-relayer.ts";
import { networkOf, readService } from "./read-service.ts";

/** The relayers that are read at the same time. */
const AT_ONCE = 16;
/** The most relayers that are examined unless all are wanted or some are specified. */
const MOST_RELAYERS = 100;

/** Which relayers are examined, and how closely. */
export interface Wanted {
  /** All of them if absent. */
  ids: readonly string[] | undefined;
  /** Whether all are examined, however many there are. */
  all: boolean;
  /** Whether more than the lists is read of each relayer. */
  isClose: boolean;
}

/** What an examination reads with. */
export interface Examiner {
  session: Pick<Session, "briefly" | "remaining" | "ownNode" | "flags">;
  clock: Clock;
  interrupt: AbortSignal;
  /** Whether the service is that of the demo. */
  isDemo: boolean;
  /** Reads what this machine knows of the service and of these relayers. */
  readHere(relayers: readonly Relayer[]): Promise<HereRead>;
}

/** What this machine shows, and who paused relayers, by their IDs. */
interface HereRead extends Pick<ServiceFacts, "journal" | "local"> {
  pauses: Fact<ReadonlyMap<string, Pause>>;
}

/** The facts, and the number of relayers that were left out because there are too many. */
export interface FactsRead extends Facts {
  leftOut: number;
}

/**
 * Reads everything that the checks need. Whatever cannot be read becomes a fact.
 * @throws RelayctlError not_found; interrupted
 */
export async function readFacts(examiner: Examiner, wanted: Wanted): Promise<FactsRead> {
  const { session, clock, interrupt, isDemo } = examiner;
  let limited = 0;
  const rationing: Rationing = { session, limited: () => limited++ };
  const service = await readService(createRation(rationing), () => clock.now());
  const all = "value" in service.relayers ? service.relayers.value : [];
  const chosen = "value" in service.relayers ? chosenFrom(all, wanted, session) : [];
  const { journal, local, pauses } = await examiner.readHere(chosen);
  const shared = new Map();
  const now = cautiousNow(service.clock, clock.now());
  const jobs = chosen.map((relayer) => ({
    id: relayer.id,
    run: async () => {
      const network = networkFact(service.networks, relayer);
      const read = wanted.isClose
        ? await readRelayer({ ...rationing, session, relayer, network, all, shared, isDemo, now })
        : unread(network, { skipped: "no chosen check needs it" });
      return factsOf(relayer, network, { ...read, pause: pauses });
    },
  }));
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted while relayers were examined");
  const relayers = completed.map(({ value, error }, index): RelayerFacts => {
    if (value) return value;
    const relayer = chosen[index] as Relayer;
    const network = networkFact(service.networks, relayer);
    return factsOf(relayer, network, {
      ...unread(network, missingFact(error ? { failure: error } : { skipped: LATE })),
      pause: pauses,
    });
  });
  return {
    ...{ now, flags: session.flags, relayers, leftOut: wanted.ids ? 0 : all.length - chosen.length },
    service: { ...service, journal, local, limited: { value: limited } },
  };
}

/** Worst first, so that the relayers in trouble are among those that are examined. @throws RelayctlError not_found */
function chosenFrom(
  all: readonly Relayer[],
  { ids, all: isAll }: Wanted,
  session: Pick<Session, "flags">,
): readonly Relayer[] {
  if (!ids) {
    const sorted = [...all].sort((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1));
    return isAll ? sorted : sorted.slice(0, MOST_RELAYERS);
  }
  const byId = new Map(all.map((relayer) => [relayer.id, relayer]));
  const missing = ids.filter((id) => !byId.has(id));
  refuseMissing({ missing }, session);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function networkFact(networks: Fact<readonly Network[]>, relayer: Relayer): Fact<Network | undefined> {
  return "value" in networks ? { value: networkOf(networks.value, relayer) } : networks;
}

type Read = Omit<RelayerFacts["read"], "list">;

function factsOf(
  relayer: Relayer,
  network: Fact<Network | undefined>,
  read: Omit<Read, "pause"> & { pause: HereRead["pauses"] },
): RelayerFacts {
  const shown = "value" in network ? network.value?.symbol : undefined;
  const symbol = isEvmSymbol(shown) ? shown : knownSymbol(String(relayer.network));
  const { pause } = read;
  const own = "value" in pause ? { value: pause.value.get(relayer.id) } : pause;
  return { relayer, symbol, read: { ...read, list: { value: relayer }, pause: own } };
}

function unread(network: Fact<Network | undefined>, fact: Missing): Omit<Read, "pause"> {
  return { network, status: fact, records: fact, node: fact, prices: fact, queue: fact, compared: fact, runway: fact };
}
