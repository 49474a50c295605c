import { setMaxListeners } from "node:events";
import { groupDigits } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import { envelopePagination } from "../../contract/reply/envelope.ts";
import type { ListItem } from "../../contract/reply/list-reply.ts";
import { RelayctlError, rescue } from "../../errors.ts";
import { MOST_HELD, memoryBudgetFor, memoryBudgetIn } from "../attempt/memory-budget.ts";
import { USUAL_CONCURRENCY } from "../bulk/bounds.ts";
import type { ClientContext } from "../client-context.ts";
import { readSuccess } from "../read.ts";
import type { ApiRequest } from "../request.ts";
import { TransportFailure } from "../transport/transport.ts";
import { createIdSet, type IdSet, seededIdHash } from "./id-set.ts";
import { type ListPage, listPage } from "./list-page.ts";
import { type ListProgress, PaginationEnd, paginationError } from "./pagination-error.ts";

type Fetched = Awaited<ReturnType<typeof fetchPage>>;

async function fetchPage(request: ApiRequest, named: NamedPage, clientContext: ClientContext) {
  const query = { ...request.query, ...pageQuery(named) };
  const { items = [], envelope, reply } = await readSuccess({ ...request, query }, clientContext);
  const pagination = envelope && envelopePagination(envelope);
  return { pagination, page: listPage(items, { ...reply, total: pagination?.total_items }) };
}

async function fetchFirst(
  request: ApiRequest,
  [size, ...smaller]: readonly [number, ...number[]],
  clientContext: ClientContext,
): Promise<Fetched & { size: number }> {
  try {
    return { ...(await fetchPage(request, { page: 1, perPage: size }, clientContext)), size };
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

/** The service's default page size (facts 2). */
const USUAL_PAGE = 10;

/** A service on Redis fails past the end, at page 0, and at pages of 0 items (facts 13.9): that is not retryable. */
async function readNamedPage(request: ApiRequest, named: NamedPage, clientContext: ClientContext): Promise<ListPage> {
  try {
    return (await fetchPage(request, named, clientContext)).page;
  } catch (error) {
    if (!(error instanceof RelayctlError) || !mayBePastEnd(error)) throw error;
    const why = await whyNoPage(request, named, clientContext);
    throw why === undefined ? error : noSuchPage(error, why, request);
  }
}

/** Returns whether the service was reached, but failed or closed the connection instead of sending the page. */
function mayBePastEnd({ failure, http, cause }: RelayctlError): boolean {
  if (failure !== "network" && failure !== "server") return false;
  if (http) return http.status >= 500;
  return cause instanceof TransportFailure && cause.sent && (cause.reason === "reset" || cause.reason === "protocol");
}

async function whyNoPage(
  request: ApiRequest,
  named: NamedPage,
  clientContext: ClientContext,
): Promise<string | undefined> {
  const { page = 1, perPage } = named;
  if (page === 0) return "page 0 does not exist: pages start at 1";
  if (perPage === 0) return "a page of 0 items does not exist on this service";
  if (page === 1) return undefined;
  const first = await rescue(fetchPage(request, { ...named, page: 1 }, clientContext), () => undefined);
  if (!first?.pagination) return undefined;
  const { total_items: total, per_page: size } = first.pagination;
  const pages = Math.max(1, Math.ceil(total / (perPage ?? (size || USUAL_PAGE))));
  if (page <= pages) return undefined;
  return `page ${page} is past the end (${countText(total, listNoun(request))}, ${countText(pages, "pages")})`;
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

function listNoun({ operation }: ApiRequest): string {
  return operation.path.split("/").at(-1) ?? "items";
}

function countText(count: number, noun: string): string {
  return `${groupDigits(count)} ${count === 1 ? noun.replace(/s$/, "") : noun}`;
}

interface PageRequest {
  request: ApiRequest;
  /** Page sizes to try in order; the next one is used if a size is refused, or if its response is too large. */
  sizes: readonly [number, ...number[]];
  most(size: number): number;
  clientContext: ClientContext;
}

/** A list may grow while it is read; a list that exceeds its number of pages by this factor counts as endless. */
const LATER_PAGES = 2;

/** Requests the first page by itself: it shows how many there are, and no page past the end may be requested (facts 2). */
async function* pagesInTurn({ request, sizes, most, clientContext }: PageRequest): AsyncGenerator<ListPage, void> {
  clientContext.report({ type: "page", page: 1, of: undefined });
  const first = await fetchFirst(request, sizes, clientContext);
  yield first.page;
  const size = first.pagination?.per_page || first.size;
  const budget = createListBudget(first, clientContext.heapLimit);
  const take = lookAhead(async (number) =>
    budget.measured(await fetchPage(request, { page: number, perPage: size }, clientContext)),
  );
  const end = first.pagination ? LATER_PAGES * lastPage(first, 1, size) : Number.POSITIVE_INFINITY;
  let last = lastPage(first, 1, size);
  for (let number = 2; number <= last; number++) {
    clientContext.report({ type: "page", page: number, of: first.pagination && last });
    const fetched = await take(number, { last, most: Math.min(most(size), budget.most()) });
    yield fetched.page;
    last = Math.min(end, lastPage(fetched, number, size));
  }
}

/** Returns the last page number: by the service's count if there is one, otherwise by the first short page. */
function lastPage({ page, pagination }: Fetched, number: number, size: number): number {
  if (page.found.length === 0) return number;
  if (pagination) return Math.ceil(pagination.total_items / size);
  return page.found.length >= size ? number + 1 : number;
}

/** Returns the result for a number, and starts the tasks for the following numbers. */
type LookAhead<T> = (number: number, bounds: { last: number; most: number }) => Promise<T>;

/** Runs several tasks at once, in order. Tasks start only when a result is taken, so a slow caller slows them down. */
export function lookAhead<T>(task: (number: number) => Promise<T>): LookAhead<T> {
  const inProgress = new Map<number, Promise<T>>();
  return (number, { last, most }) => {
    const result = inProgress.get(number) ?? task(number);
    inProgress.delete(number);
    for (let next = number + 1; next <= last && next < number + most; next++) {
      if (!inProgress.has(next)) inProgress.set(next, deferRejection(task(next)));
    }
    return result;
  };
}

/** Defers a failure until its result is taken, and ignores it otherwise. */
function deferRejection<T>(result: Promise<T>): Promise<T> {
  result.catch(() => {});
  return result;
}

/** Bytes for an item's position in its page. */
const ITEM = 96;

/** Creates a page budget that allows many small pages or few large ones: a count would not limit memory. */
export function createListBudget(
  first: Fetched,
  heapLimit: () => number,
): { most(): number; measured(fetched: Fetched): Fetched } {
  let heaviest = pageBytes(first);
  return {
    most: () => Math.max(1, Math.floor(memoryBudgetFor(heaviest, heapLimit).pages / heaviest)),
    measured(fetched) {
      heaviest = Math.max(heaviest, pageBytes(fetched));
      return fetched;
    },
  };
}

function pageBytes({ page: { body, found } }: Fetched): number {
  return body.length + ITEM * found.length;
}

const PAGES_AT_LEAST = 10_000;

/** Bytes that fit into any heap. */
const ALWAYS_FIT = 2 ** 23;

interface Load {
  items: number;
  pages: number;
  ids: number;
  /** Bytes that the reader of the pages keeps. */
  kept: number;
}

type FindBroken = (load: Load, progress: ListProgress) => RelayctlError | undefined;

/** Returns a function that returns the error for a list above a limit. */
function createLimits({ heapLimit }: ClientContext, bounds: ListBounds): FindBroken {
  const { maxItems = MOST_ITEMS, perPage = SMALL_PAGE } = bounds;
  const mostPages = Math.max(PAGES_AT_LEAST, Math.ceil(maxItems / Math.min(SMALL_PAGE, perPage)));
  return ({ items, pages, ids, kept }, progress) => {
    if (items > maxItems) return paginationError("items", maxItems, progress);
    if (pages > mostPages) return paginationError("pages", mostPages, progress);
    const most = kept <= ALWAYS_FIT ? MOST_HELD : memoryBudgetIn(heapLimit()).held;
    return kept > most || kept + ids > MOST_HELD ? paginationError("memory", most, progress) : undefined;
  };
}

interface Progress {
  seen: IdSet;
  total?: number;
  /** Whether the count fell during the last pass: a removal moves other items to a page that was already read. */
  shrank: boolean;
  /** The pages of the last pass, and the items of its last page. */
  pages: number;
  found: number;
  kept: number;
}

/** Consecutive pages without new items after which the list counts as endless. */
const IDLE_PAGES = 3;

/** Leaves out items of earlier passes. An error says how far the pass got. @param met the IDs of this pass */
async function* newItems(
  pageRequest: PageRequest & { findBroken: FindBroken },
  met: IdSet,
  progress: Progress,
): AsyncGenerator<ListPage, void> {
  const { seen } = progress;
  const keep = (bytes: number) => {
    progress.kept += bytes;
  };
  progress.shrank = false;
  progress.pages = 0;
  delete progress.total;
  let idle = 0;
  try {
    for await (const page of pagesInTurn(pageRequest)) {
      countPage(progress, page);
      const before = met.size;
      const read = seen.size;
      const found = page.found.filter((item) => isNew(item, met, seen));
      const ids = seen.bytes + (met === seen ? 0 : met.bytes);
      const load = { items: met.size, pages: progress.pages, ids, kept: progress.kept };
      const broken = pageRequest.findBroken(load, { request: pageRequest.request, read, total: progress.total });
      if (broken) throw broken;
      yield listPage(found, page, keep);
      idle = met.size > before ? 0 : idle + 1;
      if (idle === IDLE_PAGES) return;
    }
  } catch (error) {
    if (seen.size === 0 || !(error instanceof RelayctlError) || error.cause instanceof PaginationEnd) throw error;
    throw error.with({
      because: [
        `${groupDigits(seen.size)} of ${progress.total === undefined ? "an unknown number" : groupDigits(progress.total)} were read`,
      ],
    });
  }
}

function countPage(progress: Progress, { total, found }: ListPage): void {
  progress.pages += 1;
  progress.found = found.length;
  if (total === undefined) return;
  if (progress.total === undefined) progress.seen.expect(total);
  progress.shrank ||= total < (progress.total ?? 0);
  progress.total = total;
}

function isNew({ bytes, idStart, idEnd }: ListItem, met: IdSet, seen: IdSet): boolean {
  const isFirst = met.add(bytes, idStart, idEnd);
  return met === seen ? isFirst : seen.add(bytes, idStart, idEnd);
}

export type { ListPage } from "./list-page.ts";

/** Up to this many items, a list that changed is read once more as a single page. */
const ONE_PAGE_AT_MOST = 10_000;

/** Yields one page if a page was requested, otherwise every page, complete and without duplicates. */
export async function* listPages<Item extends JsonObject>(
  request: ApiRequest,
  bounds: ListBounds,
  clientContext: ClientContext,
): AsyncGenerator<ListPage<Item>, void> {
  const pages = isOnePage(bounds)
    ? [await readNamedPage(request, bounds, clientContext)]
    : untilLeft(clientContext, (walking) => allPages(request, bounds, walking));
  // The items aren't validated, except that each has an ID.
  yield* pages as AsyncIterable<ListPage<Item>>;
}

async function* untilLeft(
  clientContext: ClientContext,
  paginate: (clientContext: ClientContext) => AsyncGenerator<ListPage, void>,
) {
  const left = new AbortController();
  const interrupt = AbortSignal.any([clientContext.interrupt, left.signal]);
  // Each page in progress listens, too.
  setMaxListeners(0, interrupt);
  try {
    yield* paginate({
      ...clientContext,
      interrupt,
      report: (event) => left.signal.aborted || clientContext.report(event),
    });
  } finally {
    left.abort("interrupted");
  }
}

async function* allPages(
  request: ApiRequest,
  bounds: ListBounds,
  clientContext: ClientContext,
): AsyncGenerator<ListPage, void> {
  const hash = seededIdHash(2 ** 32 * clientContext.random.fraction());
  const progress: Progress = { seen: createIdSet(hash), shrank: false, pages: 0, found: 0, kept: 0 };
  const { seen } = progress;
  const findBroken = createLimits(clientContext, bounds);
  const pageRequest = {
    request,
    sizes: pageSizes(bounds),
    most: mostAhead(bounds, progress),
    clientContext,
    findBroken,
  };
  yield* newItems(pageRequest, seen, progress);
  if (missesItems(progress))
    yield* newItems({ ...pageRequest, sizes: sizesForSecondRead(progress) }, createIdSet(hash), progress);
  // A service may send fewer items than the page size that it echoes.
  if (missesItems(progress) && progress.pages === 1 && progress.found > 0)
    yield* newItems({ ...pageRequest, sizes: [progress.found] }, createIdSet(hash), progress);
  if (missesItems(progress)) {
    const words = `the list is changing or incomplete: ${groupDigits(seen.size)} of ${groupDigits(progress.total ?? 0)} were read`;
    throw new RelayctlError("server", words, { retryable: true, cause: new PaginationEnd("moving", request) });
  }
  const doubt = doubtIn(progress);
  if (doubt) clientContext.report({ type: "note", text: `${groupDigits(seen.size)} were read, ${doubt}` });
}

/** Returns a note if the list may be incomplete or is longer than its count; only an empty page proves its end. */
function doubtIn({ seen, total, found }: Progress): string | undefined {
  if (total === undefined)
    return found === 0 ? undefined : "and there may be more: the service does not count this list";
  return seen.size > total ? `though the service counts ${groupDigits(total)}` : undefined;
}

/** Returns how many pages to request ahead, so that no page beyond the needed items is requested. */
function mostAhead({ concurrency = USUAL_CONCURRENCY, enough }: ListBounds, { seen }: Progress): PageRequest["most"] {
  if (enough === undefined) return () => concurrency;
  return (size) => Math.min(concurrency, Math.ceil((enough - seen.size) / size));
}

/** Returns whether the list changed while it was read, or contains fewer items than its count. */
function missesItems({ seen, total, shrank }: Progress): boolean {
  return shrank || (total !== undefined && seen.size < total);
}

/** Returns the page sizes for the second read. Never 0: the service fails on it (facts 2). */
function sizesForSecondRead({ total = 0 }: Progress): PageRequest["sizes"] {
  return [total <= ONE_PAGE_AT_MOST ? Math.max(1, total) : LARGE_PAGE, SMALL_PAGE];
}

/** The items after which a list counts as endless: more than any service has. Their IDs take 200 MB. */
export const MOST_ITEMS = 5_000_000;

/** Which part of a list to fetch, and how (default: all of it). */
export interface ListBounds {
  page?: number;
  perPage?: number;
  /** Concurrent page requests (default: 8). */
  concurrency?: number;
  /** How many items are needed: no page beyond them is requested. */
  enough?: number;
  /** How many items make a list endless (default: 5,000,000). */
  maxItems?: number;
}

/** The service has no maximum, and large pages save requests; if refused, the smaller is used (promises 3). */
export const LARGE_PAGE = 1000;
const SMALL_PAGE = 100;

type NamedPage = Pick<ListBounds, "page" | "perPage">;

function isOnePage({ page, perPage }: NamedPage): boolean {
  return page !== undefined || perPage === 0;
}

function pageSizes({ perPage }: NamedPage): readonly [number, ...number[]] {
  return perPage === undefined ? [LARGE_PAGE, SMALL_PAGE] : [perPage];
}

export function pageQuery({ page, perPage }: NamedPage): Record<string, string> {
  return {
    ...(page !== undefined && { page: String(page) }),
    ...(perPage !== undefined && { per_page: String(perPage) }),
  };
}

export function firstPageQuery(bounds: NamedPage): Record<string, string> {
  return pageQuery(isOnePage(bounds) ? bounds : { page: 1, perPage: pageSizes(bounds)[0] });
}
