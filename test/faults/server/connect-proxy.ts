import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

/** How a proxy treats a CONNECT. */
export type ProxyManner =
  | "tunnels"
  | "asks for a password"
  | "cannot reach it"
  | "never answers"
  | "closes"
  | "speaks no HTTP";

export interface ConnectProxy {
  url: string;
  /** The first line and headers of each request that it got, as text. */
  heads: readonly string[];
  close(): void;
}

const ANSWERS: Partial<Record<ProxyManner, string>> = {
  "asks for a password": "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n",
  "cannot reach it": "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n",
  "speaks no HTTP": "SSH-2.0-OpenSSH_9.6\r\n",
};

export async function openConnectProxy(manner: ProxyManner): Promise<ConnectProxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", (head) => {
      heads.push(head.toString("latin1"));
      treat(socket, head.toString("latin1"), manner, sockets);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    heads,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function treat(socket: Socket, head: string, manner: ProxyManner, sockets: Set<Socket>): void {
  const answer = ANSWERS[manner];
  if (answer) socket.end(answer);
  else if (manner === "closes") socket.destroy();
  else if (manner === "tunnels") tunnel(socket, head, sockets);
}

/** Whatever the name, it is this machine. */
function tunnel(socket: Socket, head: string, sockets: Set<Socket>): void {
  const port = /^CONNECT [^ :]+:([0-9]+) /.exec(head)?.[1];
  const target = connect(Number(port), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    socket.pipe(target).pipe(socket);
  });
  sockets.add(target);
  target.on("error", () => socket.destroy());
}
