import type { App } from "../app.ts";
import { type NetworkFacts, networkReplacesUnraised, readNetworkFacts } from "../chain/network.ts";
import { boundedNode, relayerNode } from "../chain/node/node.ts";
import { predictReplacement, readPredictedMarket, readWaitingPrice } from "../chain/replacement/predict.ts";
import { type Completed, runAll } from "../client/bulk/run-all.ts";
import type { Client } from "../client/client.ts";
import { networkKind } from "../contract/network-kind.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { isTxBeingCanceled, type Transaction, txStatus } from "../contract/transaction/transaction.ts";
import { cancelError, type RelayctlError } from "../errors.ts";
import { collectPending } from "../session/collect.ts";
import type { Session } from "../session/session.ts";
import { COIN_TIMEOUT } from "../timing.ts";

/** The most requests to the node of a relayer, and the milliseconds after which none is sent. */
const MOST_CALLS = 40;
const LONGEST = 5_000;

/**
 * Predicts which cancellations nodes refuse: cancellations of submitted transactions on networks without raised prices,
 * until the market has risen by a tenth (facts 15.3). While the market can't be read, all of them count as refused, since
 * the record of a refused cancellation reads as canceled. Each network is read once.
 */
function createRefused({ relayers, networks }: Pick<Client, "relayers" | "networks">, elapsed: () => number) {
  const facts = new Map<string, Promise<NetworkFacts>>();
  const readFacts = (name: string) => {
    const known = facts.get(name) ?? readNetworkFacts(networks, name);
    facts.set(name, known);
    return known;
  };
  return async (relayer: Relayer | undefined, pending: readonly Transaction[]): Promise<ReadonlySet<string>> => {
    const submitted = pending.filter((each) => txStatus(each) === "submitted" && !isTxBeingCanceled(each));
    const isOpen = relayer?.network_type === "evm" && relayer.paused !== true && relayer.system_disabled !== true;
    if (!relayer || !isOpen || submitted.length === 0) return new Set();
    const network = await readFacts(relayer.network ?? "");
    if (!networkReplacesUnraised(network)) return new Set();
    const end = elapsed() + LONGEST;
    const bounds = { calls: MOST_CALLS, remaining: () => end - elapsed() };
    const node = boundedNode(relayerNode(relayers, relayer.id), bounds);
    const found = await readPredictedMarket(node, network, relayer);
    const refused = new Set<string>();
    for (const record of submitted) {
      const question = { record, change: "cancel" as const, isUnraised: true, ...("value" in found && found.value) };
      const isRefused = (waiting?: Awaited<ReturnType<typeof readWaitingPrice>>) =>
        !question.market || predictReplacement({ ...question, waiting }).obstacle?.kind === "market";
      // The record may show a different price than the version that waits at the node (facts 15.2).
      if (isRefused() || isRefused(await readWaitingPrice(node, record.hash))) refused.add(record.id);
    }
    return refused;
  };
}

export interface FreezePlan {
  cancels: readonly Transaction[];
  /** The others, and why they are not canceled. */
  others: readonly { transaction: Transaction; obstacle: CancellationObstacle }[];
  unread?: RelayctlError;
}

interface Named {
  id: string;
  before: Relayer | undefined;
}

/** Relayers with unreadable lists are only paused. */
export async function planFreeze<T extends Named>(
  session: Session,
  app: Pick<App, "interrupt" | "clock">,
  targets: readonly T[],
  concurrency: number,
): Promise<(T & FreezePlan)[]> {
  const { interrupt } = app;
  const client = session.inBulk();
  const jobs = targets.map(({ id }) => ({ id, run: () => collectPending(client, id) }));
  const read = await runAll(jobs, { concurrency, interrupt }).done;
  const end = read.find(({ error }) => error?.failure === "auth")?.error;
  if (end) throw end;
  if (interrupt.aborted) throw cancelError("interrupted");
  const found = new Map(read.map((each) => [each.id, each]));
  const refused = await refusedAmong(session, app, { targets, found, concurrency });
  return targets.map((target) => {
    const { value: pending = [], error } = found.get(target.id) ?? {};
    const ids = refused.get(target.id) ?? new Set();
    return { ...target, ...dividePending(pending, target.before, ids), ...(error && { unread: error }) };
  });
}

interface Read {
  targets: readonly Named[];
  found: ReadonlyMap<string, Completed<readonly Transaction[]>>;
  concurrency: number;
}

async function refusedAmong(
  session: Session,
  { clock, interrupt }: Pick<App, "interrupt" | "clock">,
  { targets, found, concurrency }: Read,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const client = session.briefly(COIN_TIMEOUT);
  const refusedOf = createRefused(client, () => clock.elapsed());
  const jobs = targets.map(({ id, before }) => ({ id, run: () => refusedOf(before, found.get(id)?.value ?? []) }));
  const completed = await runAll(jobs, { concurrency, interrupt }).done;
  if (interrupt.aborted) throw cancelError("interrupted");
  return new Map(completed.flatMap(({ id, value }) => (value ? [[id, value]] : [])));
}

function dividePending(pending: readonly Transaction[], relayer: Relayer | undefined, refused: ReadonlySet<string>) {
  const judged = pending.map((transaction) => ({
    transaction,
    obstacle: explainObstacle(transaction, relayer, refused.has(transaction.id)),
  }));
  return {
    cancels: judged.flatMap(({ transaction, obstacle }) => (obstacle === undefined ? transaction : [])),
    others: judged.flatMap(({ transaction, obstacle }) => (obstacle === undefined ? [] : { transaction, obstacle })),
  };
}

export type CancellationObstacle =
  | "requested"
  /** The relayer was paused before, or is disabled: the service then refuses cancellations (facts 4.2). */
  | "paused"
  | "disabled"
  /** Solana refuses cancellations, and Stellar ignores them (facts 5.5). */
  | "kind"
  /** Nodes refuse the cancellation, while the record reads as canceled (facts 15.3). */
  | "network";

/** Returns why a pending transaction is not canceled, if so. @param isRefused whether nodes would refuse it */
function explainObstacle(
  transaction: Transaction,
  relayer: Relayer | undefined,
  isRefused: boolean,
): CancellationObstacle | undefined {
  if (isTxBeingCanceled(transaction)) return "requested";
  if (relayer?.paused === true) return "paused";
  if (relayer?.system_disabled === true) return "disabled";
  if (networkKind(relayer) !== "evm") return "kind";
  return isRefused ? "network" : undefined;
}
