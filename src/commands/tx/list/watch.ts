import { runAll } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import { collectItems } from "../../../client/pagination/collect.ts";
import type { ListBounds } from "../../../client/pagination/list-pages.ts";
import { pluralize } from "../../../contract/decimal.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import {
  isFinal,
  isPending,
  PENDING_STATUSES,
  type Transaction,
  txStatus,
} from "../../../contract/transaction/transaction.ts";
import { interruptedError, RelayctlError } from "../../../errors.ts";
import { collectById } from "../../../session/collect.ts";
import { onePageView, type View } from "../../../terminal/view.ts";
import type { PlaceOf } from "../../../views/transaction/list.ts";
import { briefOutcomeCell } from "../../../views/transaction/outcome.ts";
import type { Call } from "../../command.ts";
import type { WatchFlag } from "../../watch/flag.ts";
import { runWatch } from "../../watch/run-watch.ts";
import { createCallField } from "../record/call-field.ts";
import { drawnList, type Filter, keepListed, NEWEST_OF_EACH, NEWEST_OF_ONE, NOWHERE, placeMap } from "./drawn-list.ts";
import { isListedRelayerActive, listedWithRelayer } from "./fleet.ts";

interface Window {
  /** The requested pages; undefined for the newest transactions and all pending ones. */
  bounds: ListBounds | undefined;
  chosen: Filter;
  newest: number;
}

const MOST_PENDING = 1_000;

async function readWindow({ tx }: Pick<Client, "tx">, relayerId: string, { bounds, chosen, newest }: Window) {
  if (bounds) {
    const items = await collectItems<Transaction>(keepListed(chosen, tx.list(relayerId, bounds, chosen.status)));
    return { items, requests: 1 };
  }
  const first: Transaction[] = [];
  let all = 0;
  for await (const { items, total } of tx.list(relayerId, { page: 1, perPage: newest })) {
    first.push(...items);
    all = total ?? items.length;
  }
  if (all <= first.length) return { items: first, requests: 1 };
  const found = new Map(first.map((item) => [item.id, item]));
  const older: Transaction[] = [];
  for (const pending of PENDING_STATUSES) {
    const pages = keepListed({ status: pending }, tx.list(relayerId, { page: 1, perPage: MOST_PENDING }, pending));
    // A transaction that moves on in between is found twice.
    older.push(...(await collectItems<Transaction>(pages, ({ id }) => !found.has(String(id)))));
    for (const item of older) found.set(item.id, item);
  }
  older.sort((one, other) => receivedTime(other.created_at) - receivedTime(one.created_at));
  return { items: [...first, ...older], requests: 1 + PENDING_STATUSES.length };
}

export interface TransactionWatch extends Omit<Window, "newest"> {
  relayerId: string | undefined;
  every: number;
}

const AT_ONCE = 4;
const MOST_LEFT = 20;

export async function watchTransactions(call: Call<WatchFlag>, watch: TransactionWatch): Promise<View> {
  const session = await call.session();
  const { name, flags } = session;
  const isFleet = watch.relayerId === undefined;
  let relayers: readonly Relayer[] = [];
  let items: readonly Transaction[] = [];
  const ended = new Set<string>();
  let known: PlaceOf | undefined;
  // After Ctrl-C, the last screen only uses known values, since nothing more can be read.
  const places = async () => {
    if (!call.app.interrupt.aborted && (isFleet || !known)) known = await placeMap(call, watch.relayerId ?? relayers);
    return known ?? NOWHERE;
  };
  const readCall = await createCallField(call);
  return await runWatch<Transaction>(call, {
    session,
    every: watch.every,
    async read() {
      if (isFleet)
        relayers = (await collectById<Relayer>(session.client.relayers.list())).filter(isListedRelayerActive);
      const ids = watch.relayerId === undefined ? relayers.map(({ id }) => id) : [watch.relayerId];
      const reading = await readAll(call, ids, watch, items);
      const left = await readLeft(call, items, reading.items, ended);
      items = [...reading.items, ...left];
      return { ...reading, items, requests: reading.requests + left.length };
    },
    view(shown) {
      const { resource, pages } = drawnList(call, places, { isFleet, readCall });
      return { kind: "list", resource, pages: pages(onePageView(shown)), where: name, flags, inOrder: true };
    },
    idOf: ({ id }) => id,
    ...(isFleet && { nameOf: ({ relayer_id: of, id }: Transaction) => `${of}  ${id}` }),
    compared: (item) => COMPARED.map((field) => item[field] ?? null),
    stateOf: (item) => briefOutcomeCell(item).text,
    rankOf: (item) => (isPending(item) ? 0 : isFinal(txStatus(item)) ? 2 : 1),
    eventOf: (transaction) => ({ transaction }),
    mayLeave: (item) => isFinal(txStatus(item)) || ended.has(item.id),
  });
}

/** The fields of a transaction in the table, and why it ended. */
const COMPARED = ["status", "status_reason", "is_canceled", "nonce", "to", "value", "hash", "signature"];

async function readAll(call: Call, ids: readonly string[], watch: TransactionWatch, before: readonly Transaction[]) {
  const session = await call.session();
  const isFleet = watch.relayerId === undefined;
  const client = isFleet ? session.inBulk({ retries: 0 }) : session.client;
  const window = { ...watch, newest: isFleet ? NEWEST_OF_EACH : NEWEST_OF_ONE };
  const jobs = ids.map((id) => ({ id, run: async () => await readWindow(client, id, window) }));
  const { interrupt } = call.app;
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  const [firstFailed] = completed.filter(({ error }) => error !== undefined);
  if (firstFailed?.error && (!isFleet || firstFailed.error.failure === "auth")) throw firstFailed.error;
  if (interrupt.aborted) throw interruptedError(" while transactions were read");
  const unread = completed.filter(({ value }) => value === undefined).map(({ id }) => id);
  const items = completed.flatMap(({ id, value }) =>
    value ? value.items.map((item) => listedWithRelayer(item, id)) : before.filter((item) => item.relayer_id === id),
  );
  const requests = completed.reduce((sum, { value }) => sum + (value?.requests ?? 1), isFleet ? 1 : 0);
  if (firstFailed?.error && unread.length === ids.length) throw firstFailed.error;
  return {
    items,
    requests,
    ...(unread.length > 0 && { trouble: `${pluralize(unread.length, "relayer")} not read: ${unread.join(", ")}` }),
  };
}

async function readLeft(call: Call, before: readonly Transaction[], now: readonly Transaction[], ended: Set<string>) {
  const { client } = await call.session();
  const listed = new Set(now.map(({ id }) => id));
  for (const id of listed) ended.delete(id);
  const left = before.filter((item) => !listed.has(item.id) && !isFinal(txStatus(item)) && !ended.has(item.id));
  const found: Transaction[] = [];
  for (const { id, relayer_id: relayerId } of left.slice(0, MOST_LEFT)) {
    try {
      const { data } = await client.tx.get(String(relayerId), id);
      found.push(listedWithRelayer(data, String(relayerId)));
      ended.add(id);
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "not_found") throw error;
    }
  }
  // The others are read the next times.
  return [...found, ...left.slice(MOST_LEFT)];
}
