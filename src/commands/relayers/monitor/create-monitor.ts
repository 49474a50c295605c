import { readNonce } from "../../../chain/evm/account.ts";
import { addressOf } from "../../../chain/evm/quantity.ts";
import { readNetworkFacts } from "../../../chain/network.ts";
import { bounded } from "../../../chain/node/bounded.ts";
import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { readPastBalances } from "../../../chain/runway/past-balances.ts";
import { type BalanceSample, keptSamples, runwayOf } from "../../../chain/runway/runway.ts";
import { runAll } from "../../../command-support/bulk/run.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { createStopwatch } from "../../../command-support/session/stopwatch.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { secondsSince } from "../../../terminal/age-text.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import { symbolsFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { unknownNotes } from "../live/unknown-notes.ts";
import { type LiveValues, readLiveValues } from "../live/values.ts";
import { stateOf } from "../state.ts";
import { readStatuses, refuseMissing } from "../status/read.ts";
import { withValues } from "../status/shown-values.ts";
import { statusView } from "../status/view.ts";
import type { Measured, Measurement } from "./measurement.ts";

/** The relayers whose nodes are asked at a time. */
const AT_ONCE = 8;
/** The most calls to the node of one relayer. */
const MOST_CALLS = 7;

/** What is known from one read to the next. */
interface Memory {
  samples: Map<string, BalanceSample[]>;
  /** The relayers whose older balances were read from the chain. */
  looked: Set<string>;
}

/** Returns a function that measures the relayers; the samples of earlier reads count for later ones. */
export function createMonitor(
  call: Call,
  session: Session,
  ids: readonly string[] | undefined,
): () => Promise<Measured> {
  const memory: Memory = { samples: new Map(), looked: new Set() };
  return async () => {
    const seen = await readStatuses(session, ids);
    refuseMissing(seen, session);
    const { where } = await readSelection({ where: call.output.where, now: call.app.clock.now() }, statusView);
    const shown = seen.found.filter((status) => where.every((holds) => holds(status)));
    const relayers = shown.map(({ relayer }) => relayer);
    const names = relayers.map(({ id }) => id);
    const values = await readLiveValues(call, session, names, { status: true, oldest: true });
    const symbols = await symbolsFor(call, relayers);
    const chain = await readChains(call, session, relayers, values, memory);
    return {
      relayers: relayers.map((relayer) =>
        measurementOf(relayer, { values, symbols, chain, memory }, call.app.clock.now()),
      ),
      seen: await withValues(call, seen, values),
      shown,
      notes: unknownNotes(values),
      isComplete: values.unknown.size === 0,
    };
  };
}

/** Reads the next nonces, and once for each relayer the balances of a day before. */
async function readChains(
  { app: { clock, interrupt } }: Call,
  session: Session,
  relayers: readonly Relayer[],
  values: LiveValues,
  { samples, looked }: Memory,
): Promise<ReadonlyMap<string, bigint>> {
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, STATUS_TIMEOUT);
  const client = session.inBulk({ retries: 0, remaining });
  const nonces = new Map<string, bigint>();
  const now = clock.now();
  for (const { id } of relayers) {
    const balance = wireAmount(values.statuses.get(id)?.balance);
    if (balance !== undefined) samples.set(id, keptSamples(samples.get(id) ?? [], { time: now, balance }));
  }
  const readOne = async ({ id, network, address }: Relayer) => {
    const account = addressOf(address);
    if (account === undefined) return;
    const own = await session.ownNode(typeof network === "string" ? network : undefined);
    const node = bounded(own ?? relayerNode(client.relayers, id), { calls: MOST_CALLS, remaining });
    const nonce = await readNonce(node, account, "latest");
    if ("fault" in nonce) return;
    nonces.set(id, nonce.value);
    if (looked.has(id)) return;
    const { blockTime } = await readNetworkFacts(client.networks, network);
    const past = await readPastBalances(node, { address: account, blockTime, now });
    if (past.length > 0) looked.add(id);
    samples.set(id, [...past, ...(samples.get(id) ?? [])]);
  };
  // A relayer that is paused or disabled does not pass on requests (facts 15.7).
  const asked = relayers.filter((relayer) => relayer.network_type === "evm" && stateOf(relayer) === "active");
  const jobs = asked.map((relayer) => ({ id: relayer.id, run: async () => await readOne(relayer) }));
  await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted while nodes were read");
  return nonces;
}

interface Known {
  values: LiveValues;
  symbols: ReadonlyMap<string, string | undefined>;
  /** The next nonces of the chain. */
  chain: ReadonlyMap<string, bigint>;
  memory: Memory;
}

function measurementOf(relayer: Relayer, { values, symbols, chain, memory }: Known, now: number): Measurement {
  const { id, network_type: kind, policies } = relayer;
  const network = typeof relayer.network === "string" ? relayer.network : "";
  const status = values.statuses.get(id);
  const [nonce, next] = [wireAmount(status?.nonce), chain.get(id)];
  const balance = wireAmount(status?.balance);
  return {
    id,
    network,
    state: stateOf(relayer),
    coin: isNetworkKind(kind) ? currencyOf(kind, symbols.get(network)) : undefined,
    balance,
    minBalance: isJsonObject(policies) ? wireAmount(policies.min_balance) : undefined,
    runway: balance === undefined ? undefined : runwayOf(memory.samples.get(id) ?? []),
    drift: nonce === undefined || next === undefined ? undefined : nonce - next,
    pending: wireAmount(status?.pending_transactions_count),
    oldest: oldestOf(values.oldest.get(id), now),
  };
}

function oldestOf(created: JsonValue | undefined, now: number): number | undefined {
  if (created === undefined) return undefined;
  return created === null ? 0 : (secondsSince(created, now) ?? undefined);
}
