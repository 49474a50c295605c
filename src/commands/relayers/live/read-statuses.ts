import { type Completed, runAll } from "../../../command-support/bulk/run.ts";
import type { Session } from "../../../command-support/session/session.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";

/** Whose values are read, and how hard. */
export interface LiveBounds {
  ids: readonly string[];
  /** Returns the milliseconds left. */
  remaining: () => number;
  /** The most requests at a time. */
  atOnce: number;
}

/** The responses of the service's status route, by ID. */
export interface Live {
  statuses: ReadonlyMap<string, JsonObject>;
  /** Why the status of a relayer is unknown, by ID. */
  unknown: ReadonlyMap<string, string>;
  /** Whether the service lacks the route. */
  hasNoRoute: boolean;
}

/**
 * Reads the status of each relayer once. A failed read does not hide the others.
 * @throws RelayctlError interrupted
 */
export async function readStatusRoutes(
  { app: { interrupt } }: Call,
  session: Session,
  { ids, remaining, atOnce }: LiveBounds,
): Promise<Live> {
  const client = session.inBulk({ retries: 0, remaining });
  const jobs = ids.map((id) => ({ id, run: async () => (await client.relayers.status(id)).data }));
  const completed = await runAll(jobs, { concurrency: atOnce, interrupt, endsAll: lacksRoute }).done;
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

/** Returns why a value could not be read. @param left the milliseconds left */
export function whyUnknown({ error }: Completed<unknown>, left: number): string {
  if (!error) return "it was not requested";
  return error.failure === "network" && left <= 0 ? "no response in time" : error.message;
}
