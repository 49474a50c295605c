import { bulkFailure, type Completed } from "../../../client/bulk/run-all.ts";
import type { ListBounds } from "../../../client/pagination/list-pages.ts";
import { isDryRun, showRequests } from "../../../command-support/shown.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { collectById } from "../../../session/collect.ts";
import { listFrom, type Page, type View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { createCallField } from "../record/call-field.ts";
import { drawnList, type Filter, keepListed, placeMap, txListRequest } from "./drawn-list.ts";

const AT_ONCE = 8;

export async function fleetTxList(call: Call<Filter>, bounds: ListBounds): Promise<View> {
  const session = await call.session();
  const { client } = session;
  const all = await collectById<Relayer>(client.relayers.list());
  const active = all.filter(isListedRelayerActive);
  const others = all.length - active.length;
  if (others > 0) await call.say({ note: `${othersText(others)} left out; list one by its ID` });
  if (isDryRun(call)) {
    const requests = active.map(({ id }) => txListRequest(id, call.flags));
    return await showRequests(call, requests, true);
  }
  const readCall = await createCallField(call);
  const { resource, pages } = drawnList(call, () => placeMap(call, active), { isFleet: true, readCall });
  const completed: Completed<true>[] = [];
  async function* pagesOf({ id, network_type: kind }: Relayer): AsyncGenerator<Page> {
    const read = client.tx.list(id, { ...bounds, concurrency: 1 }, call.flags.status);
    for await (const page of keepListed(call.flags, read))
      yield kind === "solana" ? pageWithRelayer(page, id) : fleetPage(page);
    completed.push({ id, value: true });
  }
  const failed = ({ id }: Relayer, error: unknown) => {
    if (!(error instanceof RelayctlError) || ["auth", "interrupted"].includes(error.failure)) throw error;
    completed.push({ id, error });
    // If none could be read, the failure says so.
    view.nothing = null;
  };
  const found = pages(inOrderAhead(active, pagesOf, { most: AT_ONCE, failed }));
  const view = listFrom(session, resource, found, {
    ending: async () => ({ failure: bulkFailure(completed, "relayers", call.app.interrupt, { writes: false }) }),
  });
  return view;
}

function othersText(count: number): string {
  return count === 1 ? "1 relayer that is not active is" : `${groupDigits(count)} relayers that are not active are`;
}

function fleetPage(page: Page): Page {
  const { found, body } = page;
  return {
    get items() {
      return page.items;
    },
    ...(found && { found }),
    total: undefined,
    body,
    keep: (bytes) => page.keep?.(bytes),
  };
}

function pageWithRelayer({ items, body, keep }: Page, id: string): Page {
  const named = items.map((item) => listedWithRelayer(item, id));
  return { items: named, total: undefined, body, ...(keep && { keep }) };
}

/** Adds the relayer to a transaction that does not show it, e.g. on Solana (facts 5.2). */
export function listedWithRelayer<T extends JsonObject>(item: T, id: string): T {
  return item.relayer_id === undefined ? { ...item, relayer_id: id } : item;
}

export function isListedRelayerActive({ paused, system_disabled }: Relayer): boolean {
  return paused !== true && system_disabled !== true;
}

interface Started<T> {
  iterator: AsyncIterator<T>;
  first: Promise<IteratorResult<T>>;
}

/** Starts some sources ahead. A source that fails calls `failed` and ends; the others continue. */
async function* inOrderAhead<S, T>(
  sources: readonly S[],
  open: (source: S) => AsyncIterable<T>,
  { most, failed }: { most: number; failed: (source: S, error: unknown) => void },
): AsyncGenerator<T> {
  const started: Started<T>[] = [];
  let next = 0;
  const startSome = (upTo: number) => {
    for (; next < Math.min(sources.length, upTo); next++) {
      const iterator = open(sources[next] as S)[Symbol.asyncIterator]();
      const first = iterator.next();
      // It is awaited in its turn.
      first.catch(() => {});
      started.push({ iterator, first });
    }
  };
  let at = 0;
  try {
    for (; at < sources.length; at++) {
      startSome(at + most);
      const source = started[at];
      if (!source) return;
      try {
        for (let result = await source.first; !result.done; result = await source.iterator.next()) yield result.value;
      } catch (error) {
        failed(sources[at] as S, error);
      }
    }
  } finally {
    for (const { iterator } of started.slice(at)) iterator.return?.()?.catch(() => {});
  }
}
