import type { JsonObject } from "../contract/json.ts";
import type { Operation } from "../contract/operation.ts";
import { RelayctlError } from "../errors.ts";
import type { ApiResult } from "./api-result.ts";
import type { ClientContext } from "./client-context.ts";
import { listPages } from "./pagination/list-pages.ts";
import { readOne } from "./read.ts";

/** How one resource is looked up by its id: a route of its own, and the list for services that have no such route. */
export interface Lookup {
  get: Operation;
  list: Operation;
  parameter: string;
}

/** Reads a resource by its own route, else from the list; with `byRoute` never from the list. */
export async function getNamed<T extends JsonObject>(
  lookup: Lookup,
  id: string,
  clientContext: ClientContext,
  { byRoute = false }: { byRoute?: boolean } = {},
): Promise<ApiResult<T>> {
  if (!byRoute) return await find<T>(lookup, id, clientContext);
  return await readOne<T>({ operation: lookup.get, parameters: { [lookup.parameter]: id } }, clientContext);
}

/**
 * Reads a resource by id. A 404 or 405 that does not name the id may only say that the service has no such route (the
 * interface shows none): then the list is walked. An answer that names the id is believed.
 * @throws RelayctlError not_found when no such resource exists
 */
export async function find<T extends JsonObject>(
  lookup: Lookup,
  id: string,
  clientContext: ClientContext,
): Promise<ApiResult<T>> {
  try {
    return await readOne<T>({ operation: lookup.get, parameters: { [lookup.parameter]: id } }, clientContext);
  } catch (error) {
    if (!mayLackRoute(error, id)) throw error;
    return await findInList<T>(lookup.list, id, clientContext, error);
  }
}

function mayLackRoute(error: unknown, id: string): error is RelayctlError {
  if (!(error instanceof RelayctlError) || ![404, 405].includes(error.http?.status ?? 0)) return false;
  return error.failure !== "not_found" || !names(error.message, id);
}

/** Whether an id stands in a text as a word of its own; a colon ends one, and stands within the id of a network. */
function names(text: string, id: string): boolean {
  const words = text.split(/[\s'"`,;()]+/);
  return words.some((word) => word === id || word === `${id}:`);
}

async function findInList<T extends JsonObject>(
  list: Operation,
  id: string,
  clientContext: ClientContext,
  error: RelayctlError,
): Promise<ApiResult<T>> {
  for await (const page of listPages({ operation: list }, { concurrency: 1 }, clientContext)) {
    const item = page.items.find((candidate) => candidate.id === id);
    if (item) return { data: item as T, body: page.body, unconfirmed: [] };
  }
  throw new RelayctlError("not_found", `${id} not found in the list of ${list.path.slice(1)}`, { cause: error });
}
