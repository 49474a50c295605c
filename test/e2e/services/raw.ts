import type { Socket } from "node:net";
import { CANARY_TOKEN } from "../../helpers/scan.ts";
import { rawServer } from "../../helpers/service/raw-server.ts";

/** A service of raw sockets that keeps each request as text, byte for byte. */
export interface RawService {
  env: { RELAYCTL_SERVER: string; RELAYCTL_TOKEN: string };
  requests: readonly string[];
}

type Answering = (request: string) => string | undefined | Promise<string | undefined>;

/** Responds to each request with the function's result; undefined means never. */
export async function rawService(answer: Answering): Promise<RawService> {
  const respond = async (socket: Socket, request: string) => {
    const reply = await answer(request);
    if (reply === undefined) return;
    socket.write(reply);
    if (!/^connection: keep-alive/m.test(reply)) socket.end();
  };
  const { origin, received, close } = await rawServer((socket, request) => void respond(socket, request));
  onTestFinished(close);
  return { env: { RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: CANARY_TOKEN }, requests: received };
}

export function reply(status: number, body: string, type = "application/json"): string {
  const head = [`HTTP/1.1 ${status} Words`, `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`];
  return `${[...head, "connection: close"].join("\r\n")}\r\n\r\n${body}`;
}
