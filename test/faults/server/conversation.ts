import type { Socket } from "node:net";
import type { Happening } from "./events.ts";
import type { Incoming } from "./incoming.ts";
import type { Arrived } from "./ledger.ts";
import type { Considered } from "./service/considered.ts";

/** One request and all that a step needs to deal with it. */
export interface Conversation {
  socket: Socket;
  incoming: Incoming;
  /** Absent where nothing was read. */
  request?: Arrived;
  /** Of the body, as announced. */
  length: number;
  /** What the service makes of the request. Asked once the body is there. */
  considered(): Considered;
  /** Applies the request, once, unless the service refuses it. */
  apply(): void;
  /** Does nothing more for the request until this resolves, as far as the client can see. */
  hang<T>(wait: Promise<T>): Promise<T>;
  /** Resolves when this happens. */
  happens(what: Happening | "gone" | "asked here"): Promise<void>;
}

/** Writes bytes and waits until they are taken; false when the client has left. */
export async function write({ socket, incoming }: Conversation, bytes: string | Buffer): Promise<boolean> {
  if (!socket.writable) return false;
  const taken = socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  if (!taken)
    await Promise.race([new Promise<void>((resolve) => socket.once("drain", () => resolve())), incoming.gone]);
  return socket.writable;
}
