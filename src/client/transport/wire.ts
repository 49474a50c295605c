import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { knownTime } from "../../contract/reply/received-time.ts";
import type { WireReply } from "../../contract/wire.ts";
import type { ReplyReading } from "./reading.ts";
import type { Confirmation } from "./transport.ts";

/** The bytes of one connection, read before the library parses them. */
export interface Wire {
  readonly requests: number;
  /** Whether bytes arrived without a request. They end the connection. */
  readonly hasUnrequestedBytes: boolean;
  /** Whether the other side has closed the connection, or it is destroyed. */
  readonly isClosed: boolean;
  /** Whether everything handed over for sending has left. */
  readonly isWritten: boolean;
  /** Absent without TLS. */
  readonly certificateEnds: WireReply["certificateEnds"];
  /** Called before a request is written, from when its response is read. */
  expect(reading: ReplyReading): void;
  /** Called when the response was taken and no request follows. */
  rest(): void;
  nextChange(): Promise<void>;
  end(): void;
}

export function watchWire(socket: Socket): Wire {
  let reading: ReplyReading | undefined;
  let requests = 0;
  let hasUnrequestedBytes = false;
  let isClosed = false;
  let wake = () => {};
  const isWritten = () => socket.writableLength === 0;
  const close = () => {
    isClosed = true;
    wake();
  };
  // Before any other listener, so that bytes are checked before they are parsed.
  socket.on("data", (chunk: Buffer) => {
    if (reading) reading.take(chunk, isWritten());
    else {
      hasUnrequestedBytes = true;
      socket.destroy();
    }
    wake();
  });
  socket.once("end", close).once("close", close);
  return {
    get requests() {
      return requests;
    },
    get hasUnrequestedBytes() {
      return hasUnrequestedBytes;
    },
    get isClosed() {
      return isClosed || socket.destroyed;
    },
    get isWritten() {
      return isWritten();
    },
    certificateEnds: endOfCertificate(socket),
    expect(next) {
      reading = next;
      requests++;
    },
    rest() {
      reading = undefined;
    },
    nextChange: () => (isClosed || socket.destroyed ? Promise.resolve() : new Promise((resolve) => (wake = resolve))),
    end: () => void socket.destroy(),
  };
}

/** Resolves when more bytes arrive, the service closes the connection, or it was watched long enough. */
export async function lingerUntilClosed(wire: Wire, { linger }: Confirmation): Promise<void> {
  const over = new AbortController();
  await Promise.race([wire.nextChange(), linger(over.signal)]);
  over.abort("finished");
}

function endOfCertificate(socket: Socket): WireReply["certificateEnds"] {
  if (!("getPeerCertificate" in socket)) return undefined;
  return () => knownTime((socket as TLSSocket).getPeerCertificate().valid_to);
}
