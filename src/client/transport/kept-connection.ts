import { IDLE_CONNECTION } from "../../timing.ts";
import type { ReplyEvents } from "./await-reply.ts";
import type { Opened } from "./open-socket.ts";
import { plainResponse } from "./plain-response.ts";
import { createResponseReader, type ResponseReader } from "./response-reader.ts";
import type { Wire } from "./wire.ts";

/** A connection that carries one request after another. */
export interface KeptConnection {
  wire: Wire;
  /** Whether it can carry another request. */
  readonly isOpen: boolean;
  send(text: string, events: ReplyEvents): void;
  /** Called after a response. Returns whether the connection waits for another request now. */
  rest(): boolean;
}

export function keepConnection({ socket, wire }: Opened): KeptConnection {
  let events: ReplyEvents | undefined;
  let reader: ResponseReader | undefined;
  let isLast = false;
  let isResting = false;

  function fail(error: unknown): void {
    events?.failed(error);
  }

  function end(last: boolean): void {
    const ended = socket.destroyed ? undefined : events;
    [events, reader] = [undefined, undefined];
    isLast ||= last;
    ended?.end();
  }

  function startReader({ head, data }: ReplyEvents): ResponseReader {
    return createResponseReader({ head, data, end });
  }

  function take(chunk: Buffer): void {
    if (!events) return;
    const plain = reader ? undefined : plainResponse(chunk);
    if (!plain) {
      reader ??= startReader(events);
      reader.take(chunk);
      return;
    }
    events.head(plain.status, plain.headers);
    if (!socket.destroyed) events.data(plain.body);
    end(false);
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  }

  socket.on("data", (chunk: Buffer) => attempt(() => take(chunk)));
  socket.on("end", () => attempt(() => reader?.close()));
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("closed")));
  socket.on("timeout", () => {
    if (isResting) socket.destroy();
  });
  socket.setTimeout(IDLE_CONNECTION);
  return {
    wire,
    get isOpen() {
      return !isLast && !wire.isClosed;
    },
    send(text, given) {
      events = given;
      isResting = false;
      given.started(wire);
      socket.ref();
      socket.write(text);
    },
    rest() {
      events = undefined;
      isResting = true;
      if (isLast || !wire.isWritten) wire.end();
      socket.unref();
      return !wire.isClosed;
    },
  };
}
