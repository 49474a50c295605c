import { runAll } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { groupBy } from "../../../contract/group-by.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import { isPending, PENDING_STATUSES, txStatus } from "../../../contract/transaction/transaction.ts";
import { interruptedError, RelayctlError } from "../../../errors.ts";
import { type Live, type LiveBounds, readStatusRoutes, statusGaps } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

/** Reads each relayer's oldest pending transaction, with at most six requests. @throws RelayctlError interrupted */
async function readOldest({ app: { interrupt } }: Call, session: Session, { ids, remaining, atOnce }: LiveBounds) {
  const client = session.inBulk({ retries: 0, remaining });
  const jobs = ids.map((id) => ({ id, run: async () => await loadOldest(client, id) }));
  const completed = await runAll(jobs, { concurrency: atOnce, interrupt }).done;
  if (interrupt.aborted) throw interruptedError(" while pending transactions were read");
  return {
    created: new Map(completed.flatMap(({ id, value }) => (value === undefined ? [] : [[id, value] as const]))),
    unknown: statusGaps(completed, remaining()),
  };
}

/** A page is newest first, so the oldest transaction is the last one of the last page. */
const PAGE = 100;

async function loadOldest({ tx }: Pick<Client, "tx">, relayerId: string): Promise<JsonValue> {
  let oldest: string | null = null;
  const read = async (page: number, status: string) => {
    for await (const { items, total = 0 } of tx.list(relayerId, { page, perPage: PAGE }, status))
      return { items, total };
    return { items: [], total: 0 };
  };
  for (const status of PENDING_STATUSES) {
    const newest = await read(1, status);
    const isFiltered = newest.items.every((item) => txStatus(item) === status);
    const last = Math.ceil(newest.total / PAGE);
    const { items } = isFiltered && last > 1 ? await read(last, status) : newest;
    const found = items.filter(isPending).at(-1)?.created_at;
    if (typeof found === "string" && (oldest === null || receivedTime(found) < receivedTime(oldest))) oldest = found;
    if (isFiltered) continue;
    if (oldest === null && last > 1) throw new RelayctlError("server", "this service does not filter by status");
    break;
  }
  return oldest;
}

export interface LiveValues extends Live {
  /** The creation time by relayer; null if none is pending, absent if unknown. */
  oldest: ReadonlyMap<string, JsonValue>;
  failures: ReadonlyMap<string, RelayctlError>;
  requests: number;
}

export interface LiveWanted {
  status: boolean;
  oldest: boolean;
  /** The most concurrent requests (default: 16); more could exhaust a node's rate limit. */
  atOnce?: number;
}

export function noLiveValues(): LiveValues {
  const none = new Map();
  return { statuses: none, unknown: none, failures: none, hasNoRoute: false, oldest: none, requests: 0 };
}

const AT_ONCE = 16;
/** The most concurrent requests of a watch, which repeats them. */
export const WATCH_AT_ONCE = 4;

export async function readLiveValues(
  call: Call,
  session: Session,
  ids: readonly string[],
  { status, oldest, atOnce = AT_ONCE }: LiveWanted,
): Promise<LiveValues> {
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(call.app.clock, STATUS_TIMEOUT);
  const live = status ? await readStatusRoutes(session, { ids, remaining, atOnce }) : noLiveValues();
  const { unknown: failures } = live;
  const values = { ...live, failures, oldest: new Map<string, JsonValue>(), requests: status ? ids.length : 0 };
  if (!oldest) return values;
  const isIdle = (id: string) => wireAmount(live.statuses.get(id)?.pending_transactions_count) === 0n;
  const asked = ids.filter((id) => !isIdle(id));
  const { created, unknown } = await readOldest(call, session, { ids: asked, remaining, atOnce });
  for (const id of ids) if (isIdle(id)) values.oldest.set(id, null);
  for (const [id, time] of created) values.oldest.set(id, time);
  return {
    ...values,
    failures: new Map([...unknown, ...failures]),
    requests: values.requests + 3 * asked.length,
  };
}

const NO_ROUTE = { note: "this service has no status route: balances, pending counts, and nonces are unknown" };

/** Returns notes about unread values, each reason once. */
export function unknownLiveNotes({
  failures,
  hasNoRoute,
}: Pick<LiveValues, "failures" | "hasNoRoute">): { note: string }[] {
  if (hasNoRoute) return [NO_ROUTE];
  const reasons = groupBy(failures, ([, { message }]) => message);
  return [...reasons].map(([why, unread]) => {
    const ids = unread.map(([id]) => id);
    return { note: `status of ${ids.join(", ")} not known: ${why}` };
  });
}
