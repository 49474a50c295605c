import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { knownTime } from "../../contract/reply/received-time.ts";
import type { WireReply } from "../../contract/wire.ts";
import type { ReplyReading } from "./reading.ts";
import type { Confirmation } from "./transport.ts";

/** The bytes of one connection, read before the library parses them. */
export type Wire = ReturnType<typeof watchWire>;

/** @param broke called when the other side closes or resets the connection: it may do so between two requests */
export function watchWire(socket: Socket, broke: () => void) {
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
  socket.once("end", broke).once("end", close).once("close", close);
  // The library also ends a connection with an error.
  socket.on("error", (error) => "syscall" in error && broke());
  return {
    get requests() {
      return requests;
    },
    /** Whether bytes arrived without a request. They end the connection. */
    get hasUnrequestedBytes() {
      return hasUnrequestedBytes;
    },
    /** Whether the other side has closed the connection, or it is destroyed. */
    get isClosed() {
      return isClosed || socket.destroyed;
    },
    /** Whether everything handed over for sending has left. */
    get isWritten() {
      return isWritten();
    },
    /** Absent without TLS. */
    certificateEnds: endOfCertificate(socket),
    /** Called before a request is written, from when its response is read. */
    expect(next: ReplyReading) {
      reading = next;
      requests++;
    },
    /** Called when the response was taken and no request follows. */
    rest() {
      reading = undefined;
    },
    nextChange: (): Promise<void> =>
      isClosed || socket.destroyed ? Promise.resolve() : new Promise((resolve) => (wake = resolve)),
    end: () => void socket.destroy(),
  };
}

/** Resolves when more bytes arrive, the service closes the connection, or it was watched long enough. */
export async function watchSocket(wire: Wire, { linger }: Confirmation): Promise<void> {
  const over = new AbortController();
  await Promise.race([wire.nextChange(), linger(over.signal)]);
  over.abort("finished");
}

function endOfCertificate(socket: Socket): WireReply["certificateEnds"] {
  if (!("getPeerCertificate" in socket)) return undefined;
  return () => knownTime((socket as TLSSocket).getPeerCertificate().valid_to);
}
