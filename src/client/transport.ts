import type { WireRequest } from "../contract/wire.ts";
import { IDLE_CONNECTION } from "../timing.ts";
import { awaitReply, type ReplyEvents, type RequestInProgress, type Shared } from "./transport/await-reply.ts";
import { createOpenSocket, type Opened } from "./transport/open-socket.ts";
import { createPageBuffers } from "./transport/page-buffers.ts";
import { ABOUT_CONNECTION } from "./transport/response-head.ts";
import { ResponseReader } from "./transport/response-reader.ts";
import type { AttemptLimits, NetworkOptions, Transport } from "./transport/transport.ts";

/** The parser of the pool's library. `node --jitless` lacks it. */
declare const WebAssembly: unknown;

/** Never retries or redirects; an attempt's signal destroys a hanging connection. Reads load no library. */
export function openTransport({ origin: address, ...typed }: NetworkOptions): Transport {
  const { origin, pathname } = new URL(address);
  const options: NetworkOptions = { ...typed, origin };
  const base = pathname.replace(/\/$/, "");
  const shared: Shared = {
    options,
    openSocket: createOpenSocket(options, () => (shared.breaks = true)),
    breaks: false,
    pages: createPageBuffers(options.copied),
  };
  const kept = createKept(shared);
  let single: Promise<Transport> | undefined;
  let pooled: Transport | undefined;
  let loading: Promise<Transport> | undefined;
  const overPool: Transport = async (request, limits) => {
    loading ??= loadPool(shared);
    pooled = await loading;
    return await pooled(request, limits);
  };
  const overSingle: Transport = async (request, limits) => {
    single ??= loadSingle(shared);
    return await (await single)(request, limits);
  };
  const transport: Transport = (request, limits) => {
    if (limits.connection === "kept" && isPlain(request)) return kept(request, limits);
    const isPooled = limits.connection === "pooled" && typeof WebAssembly === "object";
    return isPooled ? (pooled ?? overPool)(request, limits) : overSingle(request, limits);
  };
  return base === ""
    ? transport
    : (request, limits) => transport(joinBaseUrl(base, request), limitsBelow(base, limits));
}

function joinBaseUrl(base: string, request: WireRequest): WireRequest {
  return { ...request, target: base + request.target };
}

function limitsBelow(base: string, { confirmation, ...limits }: AttemptLimits): AttemptLimits {
  if (!confirmation) return limits;
  return { ...limits, confirmation: { ...confirmation, question: () => joinBaseUrl(base, confirmation.question()) } };
}

async function loadSingle(shared: Shared): Promise<Transport> {
  const { createSingle } = await import("./transport/single.ts");
  return createSingle(shared);
}

async function loadPool(shared: Shared): Promise<Transport> {
  const { createPooled } = await import("./transport/pooled.ts");
  shared.options.beforeParsing?.();
  return createPooled(shared);
}

type PlainRequest = Omit<WireRequest, "bytes">;

/** Returns whether a request can be sent here. All others need `node:http`, which checks and encodes anything. */
function isPlain(request: WireRequest): request is PlainRequest {
  const { method, target, headers, body, bytes } = request;
  if (bytes !== undefined || (method !== "GET" && body === undefined)) return false;
  return /^\/[!-~]*$/.test(target) && Object.entries(headers).every(isPlainHeader);
}

/** Returns whether a header can be sent as it is, and doesn't concern the connection. */
function isPlainHeader([name, value]: readonly [string, string]): boolean {
  return /^[a-z0-9-]+$/.test(name) && /^[ -~]*$/.test(value) && !ABOUT_CONNECTION.includes(name);
}

/** Creates a transport for reads, over connections that stay open. It needs no library, which loads slowly. */
function createKept(shared: Shared): Transport<PlainRequest> {
  const free: KeptConnection[] = [];
  const { host } = new URL(shared.options.origin);
  const take = async (signal: AbortSignal) => {
    for (let last = free.pop(); last; last = free.pop()) if (!last.wire.isClosed) return last;
    return keepSocket(await shared.openSocket(signal, { reusesMemory: true }));
  };
  return (request, limits) =>
    awaitReply(shared, limits, (events): RequestInProgress => {
      let connection: KeptConnection | undefined;
      let isLeft = false;
      take(limits.signal).then((taken) => {
        connection = taken;
        if (isLeft) taken.wire.end();
        else taken.send(requestText(request, host), events);
      }, events.failed);
      return {
        leave() {
          isLeft = true;
          connection?.wire.end();
        },
        settled: () => Promise.resolve(undefined),
        done() {
          if (connection?.rest()) free.push(connection);
        },
      };
    });
}

function requestText({ method, target, headers, body }: PlainRequest, host: string): string {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}Connection: keep-alive\r\n\r\n${body ?? ""}`;
}

type KeptConnection = ReturnType<typeof keepSocket>;

function keepSocket({ socket, wire }: Opened) {
  let reader: ResponseReader | undefined;
  let fail: ReplyEvents["failed"] = () => {};
  let isLast = false;
  const reading = (read: (reader: ResponseReader) => void) => {
    try {
      if (reader) read(reader);
    } catch (error) {
      fail(error);
    }
  };
  socket.on("data", (chunk: Buffer) => reading((reader) => reader.take(chunk)));
  socket.on("end", () => reading((reader) => reader.close()));
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("closed")));
  socket.on("timeout", () => socket.destroy());
  return {
    wire,
    send(text: string, events: ReplyEvents) {
      fail = events.failed;
      reader = new ResponseReader({
        head: events.head,
        data: events.data,
        end(last) {
          isLast = last;
          reader = undefined;
          events.end();
        },
      });
      events.started(wire);
      socket.ref().setTimeout(0);
      socket.write(text);
    },
    rest() {
      fail = () => {};
      if (isLast || !wire.isWritten) wire.end();
      socket.unref().setTimeout(IDLE_CONNECTION);
      return !wire.isClosed;
    },
  };
}
