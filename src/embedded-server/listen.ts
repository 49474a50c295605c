import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { WireRequest } from "../contract/wire.ts";
import { usageError } from "../errors.ts";
import { hasBody, requestHead, withBody } from "./incoming.ts";
import { ClosedConnection } from "./middleware/failures.ts";
import { Refusal, serverFault } from "./refusal.ts";
import type { TextReply } from "./reply.ts";
import type { EmbeddedServer } from "./server.ts";
import type { ServerClock } from "./world.ts";

export interface ListenOptions {
  /** 0 for any free port. */
  port: number;
  /** The flag that the port was typed with, for errors (default: `--port`). */
  flag?: string | undefined;
  respond: EmbeddedServer;
  /** Returns whether a request may send its body. Otherwise the response follows from the head alone. */
  admits(head: WireRequest): boolean;
  /** Returns the response to a request that is refused before it reaches the server function. */
  refuse(refusal: Refusal): TextReply;
  clock: ServerClock;
  /** Ends the server. */
  interrupt: AbortSignal;
  /** Called with the port when the server listens. */
  listening(port: number): Promise<void>;
  /** Called after each request. */
  served(line: ServedLine): Promise<void>;
}

export interface ServedLine {
  method: string;
  target: string;
  status: number;
  milliseconds: number;
}

/** The only address, which no option changes: reachable from this machine only (promises 9). */
const LOOPBACK = "127.0.0.1";
/** Milliseconds (facts 1.5). */
const KEEP_ALIVE = 55_000;
/** Limits for a client that sends slowly, or not at all. Times in milliseconds. */
const BOUNDS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 1_000;
/**
 * Milliseconds for which data after a response is read and dropped: a client that is cut off at once would lose the
 * response.
 */
const LINGER = 200;
/** Milliseconds that pending requests may take when the server ends. */
const GRACE = 500;

/**
 * Serves a function on loopback until the interrupt; resolves when every socket is closed. After closing, rejects with
 * the error of the function or of a callback.
 * @throws RelayctlError if the port is not available
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { createServer } = await import("node:http");
  const failure = new AbortController();
  const serveRequest = (request: IncomingMessage, response: ServerResponse) => {
    serveOne(request, response, options).catch((error: unknown) => {
      const peerLeft = request.errored !== null;
      if (peerLeft) return;
      if (error instanceof ClosedConnection) return void request.socket.destroy();
      if (!response.headersSent) send(response, options.refuse(serverFault()));
      failure.abort(error);
    });
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, ...BOUNDS }, serveRequest);
  server.maxConnections = MAX_CONNECTIONS;
  // Node would otherwise request the body of every client that expects 100 Continue.
  server.on("checkContinue", serveRequest);
  const port = await bind(server, options);
  try {
    await options.listening(port);
    await aborted(AbortSignal.any([options.interrupt, failure.signal]));
  } finally {
    await close(server, options.clock);
  }
  if (failure.signal.aborted) throw failure.signal.reason;
}

async function serveOne(request: IncomingMessage, response: ServerResponse, options: ListenOptions): Promise<void> {
  const started = options.clock.elapsed();
  const reply = await replyTo(request, response, options);
  if (reply.status === 401 || !request.complete) await sendAndClose(request, response, reply, options.clock);
  else send(response, reply);
  const milliseconds = options.clock.elapsed() - started;
  await options.served({ method: request.method ?? "", target: request.url ?? "", status: reply.status, milliseconds });
}

/** Sends a response. ASCII text, by far the most common, is sent as Latin-1 in a third of the time. */
function send(response: ServerResponse, { status, headers, text }: TextReply): void {
  const size = Buffer.byteLength(text);
  response
    .writeHead(status, { ...headers, "content-length": size })
    .end(text, size === text.length ? "latin1" : "utf8");
}

/** Sends the whole response before dropping what the client still sends. */
async function sendAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: TextReply,
  clock: ServerClock,
): Promise<void> {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text), connection: "close" });
  response.flushHeaders();
  response.write(text);
  if (!request.complete) {
    const ended = new AbortController();
    const end = () => ended.abort();
    request.once("end", end).once("close", end).resume();
    await clock.sleep(LINGER, ended.signal);
  }
  response.end();
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  { respond, admits, refuse }: ListenOptions,
): Promise<TextReply> {
  try {
    const head = requestHead(request);
    if (!hasBody(head.headers) || !admits(head)) return await respond(head);
    if (head.headers.expect !== undefined) response.writeContinue();
    return await respond(await withBody(head, request));
  } catch (error) {
    if (error instanceof Refusal) return refuse(error);
    throw error;
  }
}

function bind(server: Server, { port, flag = "--port" }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(flag, port, error)));
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

const PORT_RULES: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use by another program; 0 takes any free port",
  EACCES: "needs rights that this user does not have; 0 takes any free port",
};

function portError(flag: string, port: number, error: NodeJS.ErrnoException): Error {
  const rule = PORT_RULES[error.code ?? ""] ?? `cannot be listened on (${error.code ?? "unknown reason"})`;
  return usageError([{ where: flag, given: String(port), rule }]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Closes idle connections at once, and busy ones when their response is out or the grace period is over. */
async function close(server: Server, clock: ServerClock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const done = new AbortController();
  await Promise.race([closed.then(() => done.abort()), clock.sleep(GRACE, done.signal)]);
  server.closeAllConnections();
  await closed;
}
