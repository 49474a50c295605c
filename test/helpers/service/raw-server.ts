import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

/** A server on a raw socket of loopback, with an act for each request. */
export interface RawServer {
  origin: string;
  /** Every request as it arrived, head and body. */
  received: string[];
  /** How many connections were opened. */
  connections(): number;
  close(): Promise<void>;
}

/** What to do with the next request; it is complete when this is called. */
export type Act = (socket: Socket, request: string) => void;

export async function rawServer(...acts: readonly Act[]): Promise<RawServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = endOfRequest(text); end > 0; end = endOfRequest(text)) {
        const act = acts[Math.min(received.length, acts.length - 1)];
        received.push(text.slice(0, end));
        text = text.slice(end);
        act?.(socket, received.at(-1) ?? "");
      }
    });
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    received,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Where a complete request ends, or 0. */
function endOfRequest(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return 0;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : 0;
}

/** Sends a whole response in one piece. */
export function answers(status: number, body: string, headers: Record<string, string> = {}): Act {
  const lines = Object.entries({ "content-length": String(Buffer.byteLength(body)), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return (socket) => void socket.write(`HTTP/1.1 ${status} Words\r\n${head}\r\n${body}`);
}

/** Writes these bytes and leaves the connection open. */
export function writes(text: string): Act {
  return (socket) => void socket.write(text);
}

export const resets: Act = (socket) => void socket.resetAndDestroy();
export const hangs: Act = () => {};
