import type { Client } from "../../../client/client.ts";
import { runAll } from "../../../command-support/bulk/run.ts";
import type { Session } from "../../../command-support/session/session.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import { isPending, PENDING_STATUSES, statusOf } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import { type LiveBounds, whyUnknown } from "./read-statuses.ts";

/** When the oldest pending transaction of relayers was created, by ID. */
export interface Oldest {
  /** `created_at`; null if none is pending. */
  created: ReadonlyMap<string, JsonValue>;
  unknown: ReadonlyMap<string, RelayctlError>;
}

/**
 * Reads the oldest pending transaction of each relayer, with at most six requests for each. A failed read does not hide
 * the others.
 * @throws RelayctlError interrupted
 */
export async function readOldest(
  { app: { interrupt } }: Call,
  session: Session,
  { ids, remaining, atOnce }: LiveBounds,
): Promise<Oldest> {
  const client = session.inBulk({ retries: 0, remaining });
  const jobs = ids.map((id) => ({ id, run: async () => await oldestOf(client, id) }));
  const completed = await runAll(jobs, { concurrency: atOnce, interrupt }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted while pending transactions were read");
  return {
    created: new Map(completed.flatMap(({ id, value }) => (value === undefined ? [] : [[id, value] as const]))),
    unknown: whyUnknown(completed, remaining()),
  };
}

/** A page is newest first, so the oldest transaction is the last one of the last page. */
const PAGE = 100;

/** @throws RelayctlError server, if the service does not filter by status (facts 2) and the newest page has none */
async function oldestOf({ tx }: Pick<Client, "tx">, relayerId: string): Promise<JsonValue> {
  let oldest: string | null = null;
  const read = async (page: number, status: string) => {
    for await (const { items, total = 0 } of tx.list(relayerId, { page, perPage: PAGE }, status))
      return { items, total };
    return { items: [], total: 0 };
  };
  for (const status of PENDING_STATUSES) {
    const newest = await read(1, status);
    const isFiltered = newest.items.every((item) => statusOf(item) === status);
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
