import { isAuthorized } from "../contract/bearer.ts";
import type { PlayedIncident } from "../contract/incident.ts";
import type { ChainToServe, ServedLine, ServeOptions } from "../contract/serving.ts";
import type { WireRequest } from "../contract/wire.ts";
import { type Dialect, interfaceDialect } from "./dialect.ts";
import type { Drill } from "./drills/drill.ts";
import {
  type HttpServerOptions,
  type IncomingMessage,
  type ServerResponse,
  sendHttp,
  sendHttpAndClose,
  serveHttp,
} from "./http-server.ts";
import { incomingHasBody, incomingHead, incomingWithBody } from "./incoming.ts";
import { ClosedConnection } from "./middleware/failures.ts";
import { Refusal, serverFault } from "./refusal.ts";
import { DEMO, type TextReply } from "./reply.ts";
import { seedState } from "./seed.ts";
import { type EmbeddedServer, serverOver } from "./server.ts";
import type { Update } from "./state/state.ts";
import {
  memoryStore,
  movingStore,
  readStoreWhenDue,
  reportingStore,
  type ServerStore,
  storeUnderConditions,
} from "./state/store.ts";
import { createDeliveries, type DeliveriesOptions } from "./webhooks/deliveries.ts";
import { createFaults } from "./worker/faults.ts";
import type { ServerClock, ServerRandom } from "./world.ts";

export interface ServeWorld extends Pick<DeliveriesOptions, "clock" | "random" | "interrupt" | "deliver"> {
  /** Default: in memory. With a store, the caller applies the seed. */
  store?: ServerStore;
  chain?: ChainToServe;
}

/**
 * Serves the embedded server on loopback until the interrupt, and sends webhooks about transactions. Reads the state
 * once before listening, so that unreadable state is reported at startup.
 * @throws RelayctlError for an unknown seed, an unavailable port, or unreadable state
 */
export async function serveEmbeddedServer(options: ServeOptions, world: ServeWorld): Promise<void> {
  if (options.incident) return await playIncident(options.incident, options, world);
  await serveUntilEnd(options, world);
}

async function playIncident(incident: PlayedIncident, options: ServeOptions, world: ServeWorld): Promise<void> {
  const { createDrill } = await import("./drills/drill.ts");
  const drill = createDrill(incident, world.clock.now);
  incident.begun(drill.payments);
  const over = new AbortController();
  const interrupt = AbortSignal.any([world.interrupt, incident.stop, over.signal]);
  void drill.untilOver(world.clock, interrupt).then(() => over.abort());
  await serveUntilEnd({ ...options, failures: drill.failures }, { ...world, interrupt, store: drill.store }, drill);
  incident.ended(drill.facts());
}

async function serveUntilEnd(options: ServeOptions, world: ServeWorld, drill?: Drill): Promise<void> {
  const { random, interrupt, deliver } = world;
  const { port, listening, served, delivered } = options;
  const realClock = endingWith(interrupt, world.clock);
  const clock = fasterClock(realClock, options.speed ?? 1);
  const backend = await openBackend(options, world, clock);
  const { dialect } = backend;
  const store = backend.movingStore((updates) => {
    deliveries.deliver(updates);
    wake();
  });
  const deliveries = createDeliveries({ store, clock, random, deliver, interrupt, delivered, shown: dialect.shown });
  const { wake, ended } = backend.keepMoving(store);
  await store.read(() => undefined);
  const server = serverOver({ ...options, store, clock: realClock, now: clock.now, random, dialect });
  const respond = drill?.observed(server) ?? server;
  if (drill) wake();
  const refuse = (refusal: Refusal) => dialect.refuse(refusal, {});
  const admits = ({ headers }: WireRequest) => isAuthorized(headers.authorization, options.token);
  await listenOn({ port, respond, admits, refuse, clock: world.clock, interrupt, listening, served });
  await Promise.all([deliveries.settled(), ended]);
}

interface Backend {
  dialect: Dialect;
  movingStore(updated: (updates: readonly Update[]) => void): ServerStore;
  /** Advances transactions while no request arrives. Call `wake` when one may be pending. */
  keepMoving(store: ServerStore): { wake(): void; ended?: Promise<void> };
}

async function openBackend(options: ServeOptions, world: ServeWorld, clock: ServerClock): Promise<Backend> {
  const { random, interrupt } = world;
  const faults = createFaults(options.failures, random);
  const conditions = {
    ...(faults && { faults }),
    ...(options.prices === "changing" && { pricesChangeSince: clock.now() }),
    ...(options.expireAfter !== undefined && { expiry: { after: options.expireAfter } }),
  };
  if (world.chain) {
    const { openRealChain } = await import("./real-chain/open.ts");
    const { state, dialect, work } = await openRealChain(world.chain, random);
    return {
      dialect,
      movingStore: (updated) => reportingStore(storeUnderConditions(memoryStore(state), conditions), updated),
      keepMoving: (store) => ({ wake() {}, ended: work({ store, clock, random, faults }, interrupt) }),
    };
  }
  const kept = storeUnderConditions(world.store ?? memoryStore(seedState(options.seed, world.clock.now())), conditions);
  return {
    dialect: await readDialect(options.dialect, random),
    movingStore: (updated) => movingStore(kept, clock.now, updated),
    keepMoving: (store) => ({ wake: readStoreWhenDue(store, clock, interrupt) }),
  };
}

async function readDialect(name: ServeOptions["dialect"], random: ServerRandom): Promise<Dialect> {
  if (name === "interface") return interfaceDialect;
  return (await import("./openzeppelin/dialect.ts")).openzeppelinDialect(random);
}

/** Returns a clock whose waits end with the signal, so that a long latency does not delay the end. */
function endingWith(signal: AbortSignal, clock: ServerClock): ServerClock {
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    sleep: (milliseconds) => clock.sleep(milliseconds, signal),
  };
}

function fasterClock(clock: ServerClock, speed: number): ServerClock {
  const begun = { now: clock.now(), elapsed: clock.elapsed() };
  return {
    now: () => Math.floor(begun.now + (clock.now() - begun.now) * speed),
    elapsed: () => begun.elapsed + (clock.elapsed() - begun.elapsed) * speed,
    sleep: (milliseconds, signal) => clock.sleep(Math.ceil(milliseconds / speed), signal),
  };
}

export interface ListenOptions extends Omit<HttpServerOptions, "isPublic" | "limits"> {
  respond: EmbeddedServer;
  /** Returns whether a request may send its body. Otherwise the response only depends on the head. */
  admits(head: WireRequest): boolean;
  refuse(refusal: Refusal): TextReply;
  served(line: ServedLine): Promise<void>;
}

/** Serves on loopback until the interrupt, and resolves when every socket is closed. @throws RelayctlError */
export async function listenOn(options: ListenOptions): Promise<void> {
  const { port, flag, clock, interrupt, listening } = options;
  await serveHttp(
    // A request without a host gets a refusal with every response's header, which Node's own would lack.
    { port, flag, clock, interrupt, listening, limits: { requireHostHeader: false } },
    {
      headers: DEMO,
      async serve(request, response) {
        try {
          await serveOne(request, response, options);
        } catch (error) {
          const peerLeft = request.errored !== null;
          if (peerLeft) return;
          if (error instanceof ClosedConnection) return void request.socket.destroy();
          if (!response.headersSent) sendHttp(response, options.refuse(serverFault()));
          throw error;
        }
      },
    },
  );
}

async function serveOne(request: IncomingMessage, response: ServerResponse, options: ListenOptions): Promise<void> {
  const started = options.clock.elapsed();
  // Node would add the time of the machine, which need not be the service's.
  response.setHeader("date", new Date(options.clock.now()).toUTCString());
  const reply = await replyTo(request, response, options);
  if (reply.status === 401 || !request.complete) await sendHttpAndClose(request, response, reply, options.clock);
  else sendHttp(response, reply);
  const milliseconds = options.clock.elapsed() - started;
  await options.served({ method: request.method ?? "", target: request.url ?? "", status: reply.status, milliseconds });
}

async function replyTo(request: IncomingMessage, response: ServerResponse, { respond, admits, refuse }: ListenOptions) {
  try {
    const head = incomingHead(request);
    if (!incomingHasBody(head.headers) || !admits(head)) return await respond(head);
    if (head.headers.expect !== undefined) response.writeContinue();
    return await respond(await incomingWithBody(head, request));
  } catch (error) {
    if (error instanceof Refusal) return refuse(error);
    throw error;
  }
}
