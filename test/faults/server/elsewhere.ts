import { createServer } from "node:net";
import { listen } from "../../helpers/service/listen.ts";

/** An origin that must never see a byte. */
export interface Elsewhere {
  origin: string;
  connections(): number;
  bytes(): number;
  close(): void;
}

export async function openElsewhere(): Promise<Elsewhere> {
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    bytes: () => bytes,
    close: () => void server.close(),
  };
}
