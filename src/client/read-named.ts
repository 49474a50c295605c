import type { JsonObject } from "../contract/json.ts";
import type { Operation } from "../contract/operation.ts";
import { RelayctlError, rescue } from "../errors.ts";
import type { ClientContext } from "./client-context.ts";
import { listPages } from "./pagination/list-pages.ts";
import { readOne } from "./read.ts";
import type { ApiResult } from "./request.ts";

/** How to look up a resource by its ID: by a direct route, or from the list on services without that route. */
export interface Lookup {
  get: Operation;
  list: Operation;
  parameter: string;
}

/**
 * Reads a resource by ID. A 404 or 405 that does not contain the ID may only mean that the service lacks the route (the
 * interface shows none): then the list is read, unless `byRoute` is set. A response that contains the ID is trusted.
 * @throws RelayctlError not_found if the resource does not exist
 */
export async function readById<T extends JsonObject>(
  lookup: Lookup,
  id: string,
  clientContext: ClientContext,
  { byRoute = false }: { byRoute?: boolean } = {},
): Promise<ApiResult<T>> {
  try {
    return await readOne<T>({ operation: lookup.get, parameters: { [lookup.parameter]: id } }, clientContext);
  } catch (error) {
    if (byRoute || !lacksRoute(error, id)) throw error;
    return await findInList<T>(lookup.list, id, clientContext, error);
  }
}

/** Returns whether a refusal may mean a missing route: it is about none of these IDs (facts 1.6). */
export function lacksRoute(error: unknown, ...ids: readonly string[]): boolean {
  if (!(error instanceof RelayctlError) || ![404, 405].includes(error.http?.status ?? 0)) return false;
  return error.failure !== "not_found" || !ids.some((id) => namesId(error.message, id));
}

/** Resolves to undefined if the service has no route for a read. @param ids as in `lacksRoute` */
export async function ifRouted<T>(reading: Promise<T>, ...ids: readonly string[]): Promise<T | undefined> {
  return await rescue(reading, (error) => {
    if (!lacksRoute(error, ...ids)) throw error;
    return undefined;
  });
}

/** Returns whether an ID occurs in a text as a whole word; a colon ends a word, but can be part of a network's ID. */
function namesId(text: string, id: string): boolean {
  const words = text.split(/[\s'"`,;()]+/);
  return words.some((word) => word === id || word === `${id}:`);
}

async function findInList<T extends JsonObject>(
  list: Operation,
  id: string,
  clientContext: ClientContext,
  cause: unknown,
): Promise<ApiResult<T>> {
  for await (const page of listPages({ operation: list }, { concurrency: 1 }, clientContext)) {
    const item = page.items.find((candidate) => candidate.id === id);
    if (item) return { data: item as T, body: page.body, unconfirmed: [] };
  }
  throw new RelayctlError("not_found", `${id} not found in the list of ${list.path.slice(1)}`, { cause });
}
