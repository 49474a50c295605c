import { isAuthorized } from "../contract/bearer.ts";
import { percentDecoded } from "../contract/encoding/percent.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import type { InjectedFailure, RateLimit } from "../contract/serving.ts";
import { API_PREFIX, type WireReply, type WireRequest } from "../contract/wire.ts";
import { RelayctlError } from "../errors.ts";
import { type Dialect, interfaceDialect } from "./dialect.ts";
import type { Handler } from "./handler.ts";
import { ClosedConnection, createFailures, LostResponse } from "./middleware/failures.ts";
import { badRequest, invalidToken, noRoute, Refusal, serverFault, tooManyRequests } from "./refusal.ts";
import { type BareReply, createReplyCache, type Memo, type SuccessReply, type TextReply } from "./reply.ts";
import { movingStore, type ServerStore, storeUnderConditions } from "./state/store.ts";
import { createFaults } from "./worker/faults.ts";
import type { ServerClock, ServerRandom } from "./world.ts";

export interface EmbeddedServerOptions {
  /** For `Authorization: Bearer …`; never empty. */
  token: string;
  store: ServerStore;
  clock: ServerClock;
  /** Returns the simulated time (default: the clock's). */
  now?: () => number;
  random: ServerRandom;
  /** Milliseconds before each response (default: 0). */
  latency?: number;
  rateLimit?: RateLimit;
  failures?: readonly InjectedFailure[];
  /** When prices begin to change, in milliseconds since 1970 (default: they never change). */
  pricesChangeSince?: number;
  /** Milliseconds after which final records are deleted (default: never). */
  expireAfter?: number;
  /** The dialect (default: the interface's). */
  dialect?: Dialect;
}

/** The embedded server: from a request to its response. Opens nothing. Rejects with a ClosedConnection on purpose. */
export type EmbeddedServer = (request: WireRequest) => Promise<TextReply>;

export function createEmbeddedServer(options: EmbeddedServerOptions): (request: WireRequest) => Promise<WireReply> {
  const { store, clock, random, failures = [], pricesChangeSince, expireAfter } = options;
  const faults = createFaults(failures, random);
  const kept = storeUnderConditions(store, {
    ...(faults && { faults }),
    ...(pricesChangeSince && { pricesChangeSince }),
    ...(expireAfter !== undefined && { expiry: { after: expireAfter } }),
  });
  const server = serverOver({ ...options, store: movingStore(kept, () => clock.now()) });
  const encoder = new TextEncoder();
  return async (request) => {
    const { status, headers, text } = await server(request);
    return { status, headers, body: encoder.encode(text) };
  };
}

export function serverOver(options: EmbeddedServerOptions): EmbeddedServer {
  const { dialect = interfaceDialect, latency, clock } = options;
  const memo = createReplyCache();
  const respond = createResponder(options, dialect, memo);
  return async (request) => {
    if (latency) await clock.sleep(latency);
    try {
      return dialect.reply(await respond(request), request.headers, memo);
    } catch (error) {
      if (error instanceof RelayctlError || error instanceof ClosedConnection) throw error;
      return dialect.refuse(error instanceof Refusal ? error : serverFault(), request.headers);
    }
  };
}

function createResponder(
  options: EmbeddedServerOptions,
  dialect: Dialect,
  memo: Memo,
): (request: WireRequest) => Promise<SuccessReply | BareReply> {
  const { token, store, random, clock, now = () => clock.now() } = options;
  const admits = options.rateLimit ? createRateLimit(options.rateLimit, clock) : () => true;
  const failureOf = createFailures(options.failures ?? [], random);
  const findRoute = createRoutes(dialect.handlers);
  return async (request) => {
    const { path, query } = splitTarget(request.target, dialect);
    if (!admits()) throw tooManyRequests();
    if (!dialect.isPublic(path) && !isAuthorized(request.headers.authorization, token)) throw invalidToken();
    const failure = failureOf(request.method, path);
    if (failure && !(failure instanceof LostResponse)) throw failure;
    const route = findRoute(request.method, path);
    if (!route) throw noRoute();
    const handled = () => route.handler({ request, ids: route.ids, query, store, random, memo, now: now() });
    return failure ? await losingResponse(handled, failure, clock) : handled();
  };
}

/** Closes the connection without a response, after the request is applied or before. */
async function losingResponse(apply: () => Promise<unknown>, lost: LostResponse, clock: ServerClock): Promise<never> {
  const applied = async () => {
    if (lost.delay > 0) await clock.sleep(lost.delay);
    await apply().catch(() => undefined);
  };
  if (lost.delay > 0) void applied();
  else await applied();
  throw lost;
}

function splitTarget(target: string, { pathOf }: Dialect): { path: string; query: URLSearchParams } {
  const mark = target.indexOf("?");
  if (mark < 0) return { path: pathOf(target), query: new URLSearchParams() };
  return { path: pathOf(target.slice(0, mark)), query: new URLSearchParams(target.slice(mark + 1)) };
}

interface Route {
  method: string;
  /** Parameters are undefined. */
  parts: readonly (string | undefined)[];
  hasRestParameter: boolean;
  handler: Handler;
}

type FindRoute = (method: string, path: string) => { handler: Handler; ids: string[] } | undefined;

/** Creates the routes of the contract. @returns a function that throws a Refusal for invalid percent-encoding */
function createRoutes(handlers: Readonly<Record<OperationId, Handler>>): FindRoute {
  const routes: readonly Route[] = (Object.keys(operations) as OperationId[]).map((id) => {
    const { method, path } = operations[id];
    const parts = `${API_PREFIX}${path}`.split("/").map((part) => (part.startsWith("{") ? undefined : part));
    return { method, parts, hasRestParameter: path.endsWith("...}"), handler: handlers[id] };
  });
  const whole = new Map(
    routes
      .filter(({ parts }) => !parts.includes(undefined))
      .map(({ method, parts, handler }) => [`${method} ${parts.join("/")}`, handler]),
  );
  return (method, path) => {
    const known = whole.get(`${method} ${path}`);
    if (known) return { handler: known, ids: [] };
    const given = path.split("/");
    const route = routes.find((candidate) => candidate.method === method && fitsRoute(candidate, given));
    const ids = given.filter((_, index) => route?.parts[index] === undefined);
    return route && { handler: route.handler, ids: ids.map(decodePart) };
  };
}

function fitsRoute(route: Route, given: readonly string[]): boolean {
  if (route.hasRestParameter ? given.length < route.parts.length : given.length !== route.parts.length) return false;
  return route.parts.every((part, index) => (part === undefined ? given[index] !== "" : part === given[index]));
}

function decodePart(part: string): string {
  const text = percentDecoded(part);
  if (text === undefined) throw badRequest();
  return text;
}

/** Creates a token bucket: each call returns whether it got a token. */
function createRateLimit({ perSecond, burst }: RateLimit, clock: Pick<ServerClock, "elapsed">): () => boolean {
  let tokens = burst;
  let filledAt = clock.elapsed();
  return () => {
    const now = clock.elapsed();
    tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
