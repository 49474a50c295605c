import { createServer, type Socket } from "node:net";
import { CANARY_TOKEN } from "../../helpers/scan.ts";

/** A service of raw sockets that keeps each request as text, byte for byte. */
export interface RawService {
  env: { RELAYCTL_SERVER: string; RELAYCTL_TOKEN: string };
  requests: readonly string[];
}

type Answering = (request: string) => string | undefined | Promise<string | undefined>;

/** Responds to each request with the function's result; undefined means never. */
export async function rawService(answer: Answering): Promise<RawService> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (!isWhole(text)) return;
      requests.push(text);
      void Promise.resolve(answer(text)).then((reply) => {
        if (reply !== undefined) socket.write(reply);
        if (reply !== undefined && !/^connection: keep-alive/m.test(reply)) socket.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    env: { RELAYCTL_SERVER: `http://127.0.0.1:${port}`, RELAYCTL_TOKEN: CANARY_TOKEN },
    requests,
  };
}

export function reply(status: number, body: string, type = "application/json"): string {
  const head = [`HTTP/1.1 ${status} Words`, `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`];
  return `${[...head, "connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

function isWhole(request: string): boolean {
  const end = request.indexOf("\r\n\r\n");
  const length = Number(/^content-length: ([0-9]+)/im.exec(request)?.[1] ?? 0);
  return end >= 0 && request.length >= end + 4 + length;
}
