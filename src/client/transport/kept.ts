import type { WireRequest } from "../../contract/wire.ts";
import { IDLE_CONNECTION } from "../../timing.ts";
import { awaitReply, type ReplyEvents, type RequestInProgress, type Shared } from "./await-reply.ts";
import type { Opened } from "./open-socket.ts";
import { ABOUT_CONNECTION } from "./response-head.ts";
import { createResponseReader, type ResponseReader } from "./response-reader.ts";
import type { Transport } from "./transport.ts";
import type { Wire } from "./wire.ts";

/** A request as text, with a body of text. */
type PlainRequest = Omit<WireRequest, "bytes">;

/** Returns whether a request can be sent here. All others need `node:http`, which checks and encodes anything. */
export function isPlain(request: WireRequest): request is PlainRequest {
  const { method, target, headers, body, bytes } = request;
  if (bytes !== undefined || (method !== "GET" && body === undefined)) return false;
  return /^\/[!-~]*$/.test(target) && Object.entries(headers).every(isPlainHeader);
}

/** Returns whether a header can be sent as it is, and means nothing for the connection. */
function isPlainHeader([name, value]: readonly [string, string]): boolean {
  return /^[a-z0-9-]+$/.test(name) && /^[ -~]*$/.test(value) && !ABOUT_CONNECTION.includes(name);
}

/** Creates a transport for reads, over connections that stay open. It needs no library, which loads slowly. */
export function createKept(shared: Shared): Transport<PlainRequest> {
  const free: KeptConnection[] = [];
  const { host } = new URL(shared.options.origin);
  const take = async (signal: AbortSignal) => {
    for (let last = free.pop(); last; last = free.pop()) if (!last.wire.isClosed) return last;
    return keep(await shared.openSocket(signal, { reusesMemory: true }));
  };
  return (request, limits) =>
    awaitReply(shared, limits, (events): RequestInProgress => {
      let connection: KeptConnection | undefined;
      let isLeft = false;
      take(limits.signal).then((taken) => {
        connection = taken;
        if (isLeft) taken.wire.end();
        else taken.send(formatText(request, host), events);
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

/** Returns a request as `node:http` sends it. */
function formatText({ method, target, headers, body }: PlainRequest, host: string): string {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}Connection: keep-alive\r\n\r\n${body ?? ""}`;
}

/** A connection that carries one request after another. */
interface KeptConnection {
  wire: Wire;
  send(text: string, events: ReplyEvents): void;
  /** Called after a response. Returns whether the connection waits for another request now. */
  rest(): boolean;
}

function keep({ socket, wire }: Opened): KeptConnection {
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
    send(text, events) {
      fail = events.failed;
      reader = createResponseReader({
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
