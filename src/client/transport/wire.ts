import type { Socket } from "node:net";
import type { Reading } from "./reading.ts";

/** The bytes of one connection, seen before the library that parses them. */
export interface Wire {
  /** How many requests it has carried. */
  readonly requests: number;
  /** Whether bytes came that no request had asked for. They end the connection. */
  readonly hasSpoken: boolean;
  /** Whether the other side has closed it, or it is destroyed. */
  readonly isClosed: boolean;
  /** Whether all that was handed over for sending has left. */
  readonly isWritten: boolean;
  /** A request is about to be written: from now on its response is read. */
  expect(reading: Reading): void;
  /** The response has been taken, and nothing more is asked for. */
  rest(): void;
  /** Resolves when further bytes come or the connection is closed. */
  stir(): Promise<void>;
  end(): void;
}

export function watchWire(socket: Socket): Wire {
  let reading: Reading | undefined;
  let requests = 0;
  let hasSpoken = false;
  let isClosed = false;
  let wake = () => {};
  const isWritten = () => socket.writableLength === 0;
  const close = () => {
    isClosed = true;
    wake();
  };
  // Before any other listener, so that bytes are judged before they are parsed.
  socket.on("data", (chunk: Buffer) => {
    if (reading) reading.take(chunk, isWritten());
    else {
      hasSpoken = true;
      socket.destroy();
    }
    wake();
  });
  socket.once("end", close).once("close", close);
  return {
    get requests() {
      return requests;
    },
    get hasSpoken() {
      return hasSpoken;
    },
    get isClosed() {
      return isClosed || socket.destroyed;
    },
    get isWritten() {
      return isWritten();
    },
    expect(next) {
      reading = next;
      requests++;
    },
    rest() {
      reading = undefined;
    },
    stir: () => (isClosed || socket.destroyed ? Promise.resolve() : new Promise((resolve) => (wake = resolve))),
    end: () => void socket.destroy(),
  };
}
