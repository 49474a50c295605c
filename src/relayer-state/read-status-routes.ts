import { bulkFailure, type Completed, runAll } from "../client/bulk/run-all.ts";
import { lacksRoute } from "../client/read-named.ts";
import { interruptedError, RelayctlError } from "../errors.ts";
import type { Session } from "../session/session.ts";

export interface LiveBounds {
  ids: readonly string[];
  /** Returns the milliseconds left. */
  remaining: () => number;
  atOnce: number;
}

export type Live = Awaited<ReturnType<typeof readStatusRoutes>>;

/** Reads the status of each relayer once. A failed read does not hide the others. @throws RelayctlError interrupted */
export async function readStatusRoutes(session: Session, { ids, remaining, atOnce }: LiveBounds) {
  const { interrupt } = session;
  const client = session.inBulk({ retries: 0, remaining });
  let hasRoute = false;
  const read = async (id: string) => {
    const { data } = await client.relayers.status(id);
    hasRoute = true;
    return data;
  };
  const isMissing = (error: RelayctlError) => error.failure === "rejected" && lacksRoute(error);
  // An older instance of the service may lack the route.
  const readTwice = async (id: string) =>
    await read(id).catch((error: RelayctlError) => (isMissing(error) ? read(id) : Promise.reject(error)));
  const jobs = ids.map((id) => ({ id, run: () => readTwice(id) }));
  const endsAll = (error: RelayctlError) => !hasRoute && isMissing(error);
  const completed = await runAll(jobs, { concurrency: atOnce, interrupt, endsAll }).done;
  if (interrupt.aborted) throw interruptedError(" while the status of relayers was read");
  const hasNoRoute = completed.some(({ error }) => error && endsAll(error));
  return {
    statuses: new Map(completed.flatMap(({ id, value }) => (value ? [[id, value] as const] : []))),
    unknown: statusGaps(completed, remaining()),
    hasNoRoute,
  };
}

export function statusGaps(completed: readonly Completed<unknown>[], left: number): ReadonlyMap<string, RelayctlError> {
  // Unsent requests would have failed like the request that ended the run.
  const first = completed.find(({ error }) => error)?.error ?? new RelayctlError("network", "it was not requested");
  const why = (error = first) =>
    error.failure === "network" && left <= 0 ? new RelayctlError("network", "no response in time") : error;
  return new Map(completed.flatMap(({ id, value, error }) => (value === undefined ? [[id, why(error)] as const] : [])));
}

export function statusFailure(
  ids: Iterable<string>,
  unknown: ReadonlyMap<string, RelayctlError>,
  interrupt: AbortSignal,
): RelayctlError | undefined {
  const completed = [...new Set(ids)].map((id): Completed<true> => {
    const error = unknown.get(id);
    return { id, ...(error ? { error } : { value: true }) };
  });
  return bulkFailure(completed, "reads", interrupt, { writes: false });
}
