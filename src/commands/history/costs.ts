import { hexAddress } from "../../chain/evm/quantity.ts";
import { examineTx } from "../../chain/examine.ts";
import { type Chain, openChain } from "../../chain/open-chain.ts";
import { type Completed, runAll } from "../../client/bulk/run-all.ts";
import { apiRequest } from "../../client/request.ts";
import { symbolFor } from "../../coins/coin-symbol.ts";
import { isDryRun, showRequests } from "../../command-support/shown.ts";
import { groupDigits } from "../../contract/decimal.ts";
import { type JsonValue, objectIn, writeJson } from "../../contract/json.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { ifFound, ifReadable, RelayctlError, rescue } from "../../errors.ts";
import { appliedOf, type Journal, type RecordedWrite, type WriteOutcome, walkWrites } from "../../journal/journal.ts";
import type { Session } from "../../session/session.ts";
import { listFrom, onePageView, type View } from "../../terminal/view.ts";
import {
  type Cost,
  costItem,
  costView,
  historyCost,
  historyCostMembers,
  type RelayerCosts,
  recordedHistoryCost,
  type SpentFees,
} from "../../views/history/costs.ts";
import { historyItemTransaction } from "../../views/history/item.ts";
import type { Call } from "../command.ts";
import { noHistory } from "./open.ts";

/** More concurrent reads could exhaust a node's rate limit. */
const AT_ONCE = 8;

const ONLY_HERE = "what this machine knows from its journal; relayctl spend counts whatever was sent";

export async function showCosts(call: Call, since: number | undefined): Promise<View> {
  const session = await call.session();
  const journal = await session.journal();
  if (!journal) throw noHistory(call.app.env);
  const now = call.app.clock.now();
  const from = since && Math.min(since, costPeriodsStart(now));
  const { transactions, unknown } = await transactionsWithCosts(journal, session.origin, from);
  const isRead = ({ write }: SentTransaction) => recordedHistoryCost(write.outcome) === undefined;
  if (isDryRun(call))
    return await showRequests(
      call,
      transactions
        .filter(isRead)
        .map(({ relayerId, id }) => apiRequest("tx.get", { relayer_id: relayerId, transaction_id: id })),
    );
  const done = await readCosts({ call, session, journal }, transactions, AT_ONCE);
  const refused = done.find(({ error }) => error?.failure === "auth")?.error;
  if (refused) throw refused;
  const { costs, missing } = countCosts(transactions, done, { now, since });
  const items = [];
  for (const each of costs) if (each.total.sent > 0) items.push(costItem(await withCoin(call, each)));
  const lost = missing.filter(({ isFault }) => isFault).length;
  const notes = [
    ...missing.map(({ id, words }) => `missing: ${id}: ${words}`),
    ...(items.length > 0 ? [ONLY_HERE] : []),
    ...(unknown > 0 ? [`${unknown} sends of unknown outcome are not counted; see relayctl history settle`] : []),
  ];
  const count = `${groupDigits(lost)} of ${groupDigits(transactions.length)} transactions could not be read`;
  const failure = lost > 0 ? new RelayctlError("partial", count) : undefined;
  const body = new TextEncoder().encode(writeJson(items));
  return listFrom({ name: session.name }, costView, onePageView(items, body), {
    nothing: `no sent transactions in the journal of ${session.name}`,
    ending: async () => ({ notes, failure }),
  });
}

export async function readCosts(
  { call, session, journal }: { call: Pick<Call, "app" | "say">; session: Session; journal: Journal },
  transactions: readonly SentTransaction[],
  concurrency: number,
): Promise<readonly Completed<Cost>[]> {
  const { clock, interrupt } = call.app;
  const read = costReader(session, clock.now());
  const keep = costKeeper(call, journal);
  const jobs = transactions.map((sent) => ({
    id: sent.id,
    run: async (): Promise<Cost> => {
      const known = recordedHistoryCost(sent.write.outcome);
      if (known) return known;
      const cost = await read(sent);
      await keep(sent, cost);
      return cost;
    },
  }));
  return await runAll(jobs, { concurrency, interrupt }).done;
}

/** Returns a function that records a cost. Without it, later commands only take longer. */
function costKeeper({ app, say }: Pick<Call, "app" | "say">, journal: Journal) {
  let hasFailed = false;
  return async ({ write: { outcome } }: SentTransaction, cost: Cost): Promise<void> => {
    if (!("fee" in cost) || hasFailed) return;
    const after = { ...outcome.after, ...historyCostMembers(cost) };
    const time = new Date(app.clock.now()).toISOString();
    await rescue(journal.append({ ...outcome, time, after, settledLater: true }), async ({ message }) => {
      hasFailed = true;
      await say({ warning: `the costs were not recorded: ${message}` });
    });
  };
}

const [HOUR, DAY] = [3_600_000, 86_400_000];

function periodStarts(now: number) {
  return { today: now - (now % DAY), lastHour: now - HOUR };
}

/** Returns the earlier start of today (UTC) and the last hour. */
export function costPeriodsStart(now: number): number {
  const { today, lastHour } = periodStarts(now);
  return Math.min(today, lastHour);
}

export function countCosts(
  sent: readonly SentTransaction[],
  done: readonly Completed<Cost>[],
  { now, since = 0 }: { now: number; since?: number | undefined },
) {
  const starts = { total: since, ...periodStarts(now) };
  const none = (): SpentFees => ({ sent: 0, transactions: 0, fees: 0n, value: 0n });
  const byRelayer = new Map<string, RelayerCosts>();
  const isRecent = ({ write }: SentTransaction) => receivedTime(write.intent.time) >= since;
  const shown = new Set(sent.filter(isRecent).map(({ relayerId }) => relayerId));
  const missing: { id: string; words: string; isFault: boolean }[] = [];
  for (const [index, { relayerId, id, write }] of sent.entries()) {
    const empty = { network: undefined, symbol: undefined, total: none(), today: none(), lastHour: none() };
    const costs = byRelayer.get(relayerId) ?? { relayerId, ...empty, pending: 0, missing: 0 };
    byRelayer.set(relayerId, costs);
    const { value, error } = done[index] ?? {};
    const cost: Cost = value ?? { missing: error?.message ?? "not read", isFault: true };
    const time = receivedTime(write.intent.time);
    for (const period of ["total", "today", "lastHour"] as const)
      if (time >= starts[period]) addCost(costs[period], cost);
    // Only relayers with transactions since then are shown, with all costs of today.
    if ("fee" in cost || !shown.has(relayerId)) continue;
    if ("open" in cost) {
      costs.pending++;
      continue;
    }
    costs.missing++;
    missing.push({ id, words: cost.missing, isFault: cost.isFault });
  }
  const costs = [...byRelayer.values()].sort((one, other) => (one.relayerId < other.relayerId ? -1 : 1));
  return { costs, missing };
}

function addCost(spent: SpentFees, cost: Cost): void {
  spent.sent++;
  if (!("fee" in cost)) return;
  spent.transactions++;
  spent.fees += cost.fee;
  spent.value += cost.value;
}

async function withCoin(call: Call, costs: RelayerCosts): Promise<RelayerCosts> {
  const session = await call.session();
  const found = await ifReadable(session.client.relayers.get(costs.relayerId));
  if (!found) return costs;
  const { data } = found;
  const network = typeof data.network === "string" ? data.network : undefined;
  return { ...costs, network, symbol: await symbolFor(session, data) };
}

function costReader(session: Session, now: number): (sent: SentTransaction) => Promise<Cost> {
  const { client, remaining } = session;
  const chains = new Map<string, Promise<Chain>>();
  const readChain = (relayerId: string) => {
    const opened = chains.get(relayerId) ?? openChain({ client, relayerId, ownNode: session.ownNode });
    chains.set(relayerId, opened);
    return opened;
  };
  return async (sent) => {
    const { relayerId, hashes } = sent;
    const record = (await ifFound(session.client.tx.get(sent.relayerId, sent.id)))?.data;
    const asSent = rememberedRecord(sent);
    const chain = await readChain(relayerId);
    if (networkKind(chain.relayer) !== "evm")
      return { missing: "only the fees of EVM transactions are read", isFault: false };
    const records = record ? ([asSent, record] as const) : ([asSent] as const);
    const question = { relayerId, records, hashes, now, ...(!record && { isGone: true }) };
    const examined = await examineTx(chain, client, { ...question, ...(remaining && { remaining }) });
    return historyCost(examined, hexAddress(chain.relayer?.address ?? asSent.from));
  };
}

/** Returns the record as of its sending: the service deletes records after some hours (facts 5.1). */
function rememberedRecord({ id, write: { intent, outcome } }: SentTransaction): Transaction {
  const body = objectIn(intent.body);
  return { ...outcome.after, ...(body.data !== undefined && { data: body.data }), id } as Transaction;
}

export interface SentTransaction {
  relayerId: string;
  id: string;
  write: RecordedWrite & { outcome: WriteOutcome };
  /** Newest first. */
  hashes: readonly string[];
}

export async function transactionsWithCosts(journal: Journal, server: string, since: number | undefined) {
  const hashes = new Map<string, Set<string>>();
  const transactions: SentTransaction[] = [];
  let unknown = 0;
  for await (const write of walkWrites(journal, since)) {
    const { intent } = write;
    if (intent.server !== server) continue;
    if (intent.operation === "tx.send" && appliedOf(write) === "unknown") unknown++;
    const id = historyItemTransaction(write);
    if (id === undefined) continue;
    const known = hashes.get(id) ?? new Set();
    hashes.set(id, known);
    for (const hash of [write.outcome?.after?.hash, write.intent.before?.hash].filter(isText)) known.add(hash);
    const sent = sentBy(write, id, known);
    if (sent) transactions.push(sent);
  }
  return { transactions, unknown };
}

function sentBy({ intent, outcome }: RecordedWrite, id: string, hashes: Iterable<string>): SentTransaction | undefined {
  const relayerId: JsonValue | undefined = intent.ids.relayer_id;
  if (intent.operation !== "tx.send" || outcome?.applied !== "yes" || !isText(relayerId)) return undefined;
  return { relayerId, id, write: { intent, outcome }, hashes: [...hashes] };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}
