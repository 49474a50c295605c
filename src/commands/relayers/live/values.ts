import type { Session } from "../../../command-support/session/session.ts";
import { createStopwatch } from "../../../command-support/session/stopwatch.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import type { RelayctlError } from "../../../errors.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { readOldest } from "./read-oldest.ts";
import { type Live, readStatusRoutes } from "./read-statuses.ts";

/** The values of relayers that take a request for each. */
export interface LiveValues extends Live {
  /** When the oldest pending transaction was created, by relayer; null if none is pending, absent if it is unknown. */
  oldest: ReadonlyMap<string, JsonValue>;
  /** Why a value of a relayer could not be read, by ID. */
  failures: ReadonlyMap<string, RelayctlError>;
  /** The number of requests that were sent. */
  requests: number;
}

/** Which of these values are read. */
export interface LiveWanted {
  status: boolean;
  oldest: boolean;
  /** The most requests at a time (default: 16); more could exhaust a node's own rate limit. */
  atOnce?: number;
}

/** Returns the values of no relayers. */
export function noValues(): LiveValues {
  const none = new Map();
  return { statuses: none, unknown: none, failures: none, hasNoRoute: false, oldest: none, requests: 0 };
}

const AT_ONCE = 16;
/** The most requests of a watch at a time, which reads them again and again. */
export const WATCH_AT_ONCE = 4;

/**
 * Reads values of relayers once. A failed read does not hide the others, and only a relayer that may have a pending
 * transaction is asked for the oldest one.
 * @throws RelayctlError interrupted
 */
export async function readLiveValues(
  call: Call,
  session: Session,
  ids: readonly string[],
  { status, oldest, atOnce = AT_ONCE }: LiveWanted,
): Promise<LiveValues> {
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(call.app.clock, STATUS_TIMEOUT);
  const live = status ? await readStatusRoutes(call, session, { ids, remaining, atOnce }) : noValues();
  const { unknown: failures } = live;
  const values = { ...live, failures, oldest: new Map<string, JsonValue>(), requests: status ? ids.length : 0 };
  if (!oldest) return values;
  const isIdle = (id: string) => pendingOf(live.statuses.get(id)) === 0n;
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

/** Returns the number of pending transactions that the status route shows. */
function pendingOf(status: JsonObject | undefined): bigint | undefined {
  return wireAmount(status?.pending_transactions_count);
}
