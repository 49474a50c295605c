import { type Completed, runAll } from "../../../command-support/bulk/run.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { createStopwatch } from "../../../command-support/session/stopwatch.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { RelayctlError } from "../../../errors.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

/** The responses of the service's status route, by ID. */
export interface Live {
  statuses: ReadonlyMap<string, JsonObject>;
  /** Why the status of a relayer is unknown, by ID. */
  unknown: ReadonlyMap<string, string>;
  /** Whether the service lacks the route. */
  hasNoRoute: boolean;
}

/** The maximum of concurrent requests; more could exhaust a node's own rate limit. */
const AT_ONCE = 16;

/**
 * Reads the status of each relayer once. A failed read does not hide the others.
 * @throws RelayctlError interrupted
 */
export async function readLive({ app }: Call, session: Session, ids: readonly string[]): Promise<Live> {
  const { interrupt, clock } = app;
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, STATUS_TIMEOUT);
  const client = session.inBulk({ retries: 0, remaining });
  const jobs = ids.map((id) => ({ id, run: async () => (await client.relayers.status(id)).data }));
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt, endsAll: lacksRoute }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted while the status of relayers was read");
  const hasNoRoute = completed.some(({ error }) => error && lacksRoute(error));
  const whyNot = (each: Completed<JsonObject>) =>
    each.value ? [] : [[each.id, whyUnknown(each, remaining())] as const];
  return {
    statuses: new Map(completed.flatMap(({ id, value }) => (value ? [[id, value] as const] : []))),
    unknown: new Map(hasNoRoute ? [] : completed.flatMap(whyNot)),
    hasNoRoute,
  };
}

/** Returns whether the route is missing: a 404 without an envelope (facts 1.6), the same for every relayer. */
function lacksRoute({ failure, http }: RelayctlError): boolean {
  return http?.status === 404 && failure === "rejected";
}

function whyUnknown({ error }: Completed<JsonObject>, left: number): string {
  if (!error) return "it was not requested";
  return error.failure === "network" && left <= 0 ? "no response in time" : error.message;
}
