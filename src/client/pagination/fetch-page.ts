import { type Pagination, paginationOf } from "../../contract/reply/envelope.ts";
import { RelayctlError } from "../../errors.ts";
import type { ClientContext } from "../client-context.ts";
import { readReplyOf } from "../read.ts";
import type { ApiRequest } from "../request.ts";
import { TransportFailure } from "../transport/transport.ts";
import { type ListPage, listPage } from "./list-page.ts";
import { pageQuery } from "./page-query.ts";

export interface Fetched {
  page: ListPage;
  pagination: Pagination | undefined;
}

/** @param query page and size, added to the request's query */
export async function fetchPage(
  request: ApiRequest,
  query: Record<string, string>,
  clientContext: ClientContext,
): Promise<Fetched> {
  const {
    items = [],
    envelope,
    reply,
  } = await readReplyOf({ ...request, query: { ...request.query, ...query } }, clientContext);
  const pagination = envelope && paginationOf(envelope);
  return { pagination, page: listPage(items, { ...reply, total: pagination?.total_items }) };
}

export async function fetchNumber(
  request: ApiRequest,
  number: number,
  size: number,
  clientContext: ClientContext,
): Promise<Fetched> {
  return await fetchPage(request, pageQuery({ page: number, perPage: size }), clientContext);
}

export async function fetchFirst(
  request: ApiRequest,
  [size, ...smaller]: readonly [number, ...number[]],
  clientContext: ClientContext,
): Promise<Fetched & { size: number }> {
  try {
    return { ...(await fetchNumber(request, 1, size, clientContext)), size };
  } catch (error) {
    const [next, ...rest] = smaller;
    if (next === undefined || !mayFit(error)) throw error;
    return await fetchFirst(request, [next, ...rest], clientContext);
  }
}

function mayFit(error: unknown): boolean {
  if (!(error instanceof RelayctlError)) return false;
  return error.http?.status === 400 || (error.cause instanceof TransportFailure && error.cause.reason === "too_large");
}
