import { grouped } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import type { ClientContext } from "../client-context.ts";
import type { ApiRequest } from "../request.ts";
import { TransportFailure } from "../transport/transport.ts";
import { PaginationEnd } from "./end.ts";
import { type Fetched, fetchPage } from "./fetch-page.ts";
import type { ListPage } from "./list-page.ts";
import { pageQuery } from "./page-query.ts";

interface Named {
  page?: number;
  perPage?: number;
}

/** The service's default page size (facts 2). */
const USUAL_PAGE = 10;

/**
 * Reads one page. A service on Redis closes the connection at a page past the end, and fails at page 0 and at pages of
 * 0 items (facts 13.9): if the list's own count shows that, the error says so and is not retryable.
 */
export async function readNamedPage(
  request: ApiRequest,
  named: Named,
  clientContext: ClientContext,
): Promise<ListPage> {
  try {
    return (await fetchPage(request, pageQuery(named), clientContext)).page;
  } catch (error) {
    if (!(error instanceof RelayctlError) || !mayBePastEnd(error)) throw error;
    const why = await whyNoPage(request, named, clientContext);
    throw why === undefined ? error : noSuchPage(error, why, request);
  }
}

/** Returns whether the service was reached, but failed or broke off the connection instead of sending the page. */
function mayBePastEnd({ failure, http, cause }: RelayctlError): boolean {
  if (failure !== "network" && failure !== "server") return false;
  if (http) return http.status >= 500;
  return cause instanceof TransportFailure && cause.sent && (cause.reason === "reset" || cause.reason === "protocol");
}

/** Returns why the page does not exist, according to the count on page 1; undefined if that is unknown. */
async function whyNoPage(
  request: ApiRequest,
  { page = 1, perPage }: Named,
  clientContext: ClientContext,
): Promise<string | undefined> {
  if (page === 0) return "page 0 does not exist: pages start at 1";
  if (perPage === 0) return "a page of 0 items does not exist on this service";
  if (page === 1) return undefined;
  const pagination = await firstPage(request, perPage, clientContext);
  if (!pagination) return undefined;
  const { total_items: total, per_page: size } = pagination;
  const pages = Math.max(1, Math.ceil(total / (perPage ?? (size || USUAL_PAGE))));
  if (page <= pages) return undefined;
  return `page ${page} is past the end (${counted(total, getNoun(request))}, ${counted(pages, "pages")})`;
}

async function firstPage(
  request: ApiRequest,
  perPage: number | undefined,
  clientContext: ClientContext,
): Promise<Fetched["pagination"]> {
  try {
    return (await fetchPage(request, pageQuery({ page: 1, ...(perPage !== undefined && { perPage }) }), clientContext))
      .pagination;
  } catch (error) {
    if (error instanceof RelayctlError) return undefined;
    throw error;
  }
}

function noSuchPage(
  { failure, message, because, http }: RelayctlError,
  why: string,
  request: ApiRequest,
): RelayctlError {
  return new RelayctlError(failure, why, {
    because: [message, ...because],
    retryable: false,
    cause: new PaginationEnd("past_end", request),
    ...(http && { http }),
  });
}

function getNoun({ operation }: ApiRequest): string {
  return operation.path.split("/").at(-1) ?? "items";
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun.replace(/s$/, "") : noun}`;
}
