import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Receiver } from "../contract/webhook/receiver.ts";
import { usageError } from "../errors.ts";
import type { TextReply } from "./reply.ts";
import type { ServerClock } from "./world.ts";

/** Milliseconds of reading further data: a client that is cut off at once loses the response. */
const LINGER = 200;

/** Sends the whole response before dropping further data, and closes the connection. */
export async function sendHttpAndClose(
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

/** Sends a response. ASCII text, by far the most common, is sent as Latin-1 in a third of the time. */
export function sendHttp(response: ServerResponse, { status, headers, text }: TextReply): void {
  const size = Buffer.byteLength(text);
  response
    .writeHead(status, { ...headers, "content-length": size })
    .end(text, size === text.length ? "latin1" : "utf8");
}

export type { IncomingMessage, ServerResponse } from "node:http";

export interface HttpServerOptions extends Pick<Receiver, "port" | "host" | "tls" | "interrupt" | "listening"> {
  /** The flag that the port was typed with, for errors (default: `--port`). */
  flag?: string | undefined;
  /** Whether it listens on all interfaces (default: on 127.0.0.1 only, promises 9). */
  isPublic?: boolean;
  clock: ServerClock;
  /** Other limits than the default ones, in milliseconds. */
  limits?: Partial<typeof LIMITS> & { connections?: number; requireHostHeader?: boolean };
}

export interface HttpEvents {
  /** Serves a request, even if it expects 100 Continue. A rejection ends the server. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Called for a request that is not HTTP, takes too long, or ends early. */
  broken?: (why: "malformed" | "slow" | "cut", socket: object) => void;
  dropped?: () => void;
  /** Headers of the responses to requests that cannot be read, and thus are never served. */
  headers?: Readonly<Record<string, string>>;
}

const LOOPBACK = "127.0.0.1";
/** Limits for slow clients; idle connections stay open as in facts 1.5. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 55_000,
} satisfies ServerOptions;
const MAX_CONNECTIONS = 1_000;
/** Milliseconds that pending requests may take when the server ends. */
const GRACE = 500;

/** Serves until the interrupt, and resolves when every socket is closed. @throws RelayctlError; errors of callbacks */
export async function serveHttp(options: HttpServerOptions, events: HttpEvents): Promise<void> {
  const { limits: { connections = MAX_CONNECTIONS, ...limits } = {} } = options;
  const failure = new AbortController();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    events.serve(request, response).catch((error: unknown) => failure.abort(error));
  };
  const server = await createServer({ ...LIMITS, ...limits }, options.tls, serve);
  server.maxConnections = connections;
  // Node would otherwise request the body of every client that expects 100 Continue.
  server.on("checkContinue", serve);
  refuseBroken(server, events);
  if (events.dropped) server.on("drop", events.dropped);
  const port = await bindPort(server, options);
  try {
    await options.listening(port);
    await untilAborted(AbortSignal.any([options.interrupt, failure.signal]));
  } finally {
    await closeServer(server, options.clock);
  }
  if (failure.signal.aborted) throw failure.signal.reason;
}

async function createServer(
  limits: ServerOptions,
  tls: HttpServerOptions["tls"],
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server | SecureServer> {
  if (!tls) return (await import("node:http")).createServer(limits, serve);
  const https = await import("node:https");
  try {
    return https.createServer({ ...limits, ...tls, handshakeTimeout: LIMITS.headersTimeout }, serve);
  } catch {
    // OpenSSL's words could contain a part of the key.
    const rule = "needs a certificate, and --listen-key its private key without a passphrase, both in PEM";
    throw usageError([{ where: "--listen-cert", rule }]);
  }
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

const CAUSES: Readonly<Record<string, "slow" | "cut">> = {
  ERR_HTTP_REQUEST_TIMEOUT: "slow",
  HPE_INVALID_EOF_STATE: "cut",
};

/** Responds like Node, with further headers. A client that left gets no response, and is not reported. */
function refuseBroken(server: Server | SecureServer, { broken, headers = {} }: HttpEvents): void {
  const lines = Object.entries({ ...headers, connection: "close", "content-length": "0" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { ...headers }).end();
  });
  server.on("clientError", ({ code = "" }: NodeJS.ErrnoException, socket) => {
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    broken?.(CAUSES[code] ?? "malformed", socket);
    const status = STATUS_LINES[code] ?? "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n`, () => socket.destroy());
  });
}

function bindPort(
  server: Server | SecureServer,
  { port, flag = "--port", isPublic = false, host = LOOPBACK }: HttpServerOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(flag, port, error)));
    server.listen({ port, ...(!isPublic && { host }) }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

const PORT_RULES: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use by another program; 0 takes any free port",
  EADDRNOTAVAIL: "cannot be listened on: this machine does not have the address",
  EACCES: "needs rights that this user does not have; 0 takes any free port",
};

function portError(flag: string, port: number, error: NodeJS.ErrnoException): Error {
  const rule = PORT_RULES[error.code ?? ""] ?? `cannot be listened on (${error.code ?? "unknown reason"})`;
  return usageError([{ where: flag, given: String(port), rule }]);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Closes idle connections at once, and busy ones after their response or the grace period. */
async function closeServer(server: Server | SecureServer, clock: ServerClock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const done = new AbortController();
  await Promise.race([closed.then(() => done.abort()), clock.sleep(GRACE, done.signal)]);
  server.closeAllConnections();
  await closed;
}
