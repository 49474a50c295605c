import { connect, createServer, type Socket } from "node:net";
import { listen } from "../../helpers/service/listen.ts";

export type ProxyManner =
  | "tunnels"
  | "speaks with its response"
  | "speaks after its response"
  | "asks for a password"
  | "cannot reach it"
  | "never answers"
  | "closes"
  | "speaks no HTTP";

export interface ConnectProxy {
  url: string;
  /** The first line and headers of each request that it got, as text. */
  heads: readonly string[];
  /** Resolves when it gets another request, or when the signal is aborted. */
  asked(signal?: AbortSignal): Promise<void>;
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
  const waiting = new Set<() => void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", (head) => {
      heads.push(head.toString("latin1"));
      treat(socket, head.toString("latin1"), manner, sockets);
      for (const wake of waiting) wake();
      waiting.clear();
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    heads,
    asked: (signal) =>
      new Promise((resolve) => {
        waiting.add(resolve);
        signal?.addEventListener("abort", () => resolve());
      }),
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
  else if (manner !== "never answers") tunnel(socket, head, manner, sockets);
}

/** A refusal that nobody asked for, as from the service. */
const REFUSAL = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";

/** Whatever the name, it is this machine. */
function tunnel(socket: Socket, head: string, manner: ProxyManner, sockets: Set<Socket>): void {
  const port = /^CONNECT [^ :]+:([0-9]+) /.exec(head)?.[1];
  const target = connect(Number(port), "127.0.0.1", () => {
    const response = "HTTP/1.1 200 Connection Established\r\n\r\n";
    socket.write(manner === "speaks with its response" ? response + REFUSAL : response);
    if (manner === "speaks after its response") setImmediate(() => socket.write(REFUSAL));
    socket.pipe(target).pipe(socket);
  });
  sockets.add(target);
  target.on("error", () => socket.destroy());
}
