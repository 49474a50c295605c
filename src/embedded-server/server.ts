import type { WireReply, WireRequest } from "../contract/wire.ts";
import { RelayctlError } from "../errors.ts";
import { type Dialect, interfaceDialect } from "./dialect.ts";
import { createMemo, type Memo } from "./memo.ts";
import { isAuthorized } from "./middleware/bearer.ts";
import { ClosedConnection, createFailures, type InjectedFailure, LostResponse } from "./middleware/failures.ts";
import { createRateLimit, type RateLimit } from "./middleware/rate-limit.ts";
import { noRoute, Refusal, serverFault, tooManyRequests, unauthorized } from "./refusal.ts";
import type { BareReply, SuccessReply, TextReply } from "./reply.ts";
import { createRoutes } from "./route.ts";
import { movingStore, type ServerStore, underConditions } from "./state/store.ts";
import { createFaults } from "./worker/faults.ts";
import type { ServerClock, ServerRandom } from "./world.ts";

export interface EmbeddedServerOptions {
  /** The token that a request must send as `Authorization: Bearer …`; never empty. */
  token: string;
  store: ServerStore;
  clock: ServerClock;
  /** Returns the time of what is simulated, in milliseconds since 1970 (default: the clock's). */
  now?: () => number;
  random: ServerRandom;
  /** Milliseconds before each response (default: 0). */
  latency?: number;
  rateLimit?: RateLimit;
  /** Requests that fail. */
  failures?: readonly InjectedFailure[];
  /** When prices begin to change, in milliseconds since 1970 (default: they never change). */
  pricesChangeSince?: number;
  /** The dialect (default: the interface's). */
  dialect?: Dialect;
}

/**
 * The embedded server: a function from a request to its response. It opens nothing. Rejects with a ClosedConnection on
 * purpose.
 */
export type EmbeddedServer = (request: WireRequest) => Promise<TextReply>;

/**
 * Creates a server that implements the interface. It rejects with a RelayctlError if its state cannot be read or
 * stored; every other failure is a response.
 */
export function createEmbeddedServer(options: EmbeddedServerOptions): (request: WireRequest) => Promise<WireReply> {
  const { store, clock, random, failures = [], pricesChangeSince } = options;
  const faults = createFaults(failures, random);
  const kept = underConditions(store, { ...(faults && { faults }), ...(pricesChangeSince && { pricesChangeSince }) });
  const server = serverOver({ ...options, store: movingStore(kept, () => clock.now()) });
  const encoder = new TextEncoder();
  return async (request) => {
    const { status, headers, text } = await server(request);
    return { status, headers, body: encoder.encode(text) };
  };
}

/** Creates the same server over a moving store, with responses as text. */
export function serverOver(options: EmbeddedServerOptions): EmbeddedServer {
  const { dialect = interfaceDialect, latency, clock } = options;
  const memo = createMemo();
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
    const { path, query } = partsOf(request.target, dialect);
    if (!admits()) throw tooManyRequests();
    if (!dialect.isPublic(path) && !isAuthorized(request.headers.authorization, token)) throw unauthorized();
    const failure = failureOf(request.method, path);
    if (failure && !(failure instanceof LostResponse)) throw failure;
    const route = findRoute(request.method, path);
    if (!route) throw noRoute();
    const handled = () => route.handler({ request, ids: route.ids, query, store, random, memo, now: now() });
    return failure ? await losingResponse(handled, failure, clock) : handled();
  };
}

/** Closes the connection without a response; the request is applied before, or some time after. */
async function losingResponse(apply: () => Promise<unknown>, lost: LostResponse, clock: ServerClock): Promise<never> {
  const applied = async () => {
    if (lost.delay > 0) await clock.sleep(lost.delay);
    await apply().catch(() => undefined);
  };
  if (lost.delay > 0) void applied();
  else await applied();
  throw lost;
}

function partsOf(target: string, { pathOf }: Dialect): { path: string; query: URLSearchParams } {
  const mark = target.indexOf("?");
  if (mark < 0) return { path: pathOf(target), query: new URLSearchParams() };
  return { path: pathOf(target.slice(0, mark)), query: new URLSearchParams(target.slice(mark + 1)) };
}
