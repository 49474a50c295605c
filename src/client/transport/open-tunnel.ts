import { request } from "node:http";
import type { Socket } from "node:net";
import type { Address } from "./address.ts";
import { STRICT } from "./response-head.ts";

/** Opens a tunnel through a proxy, which gets only the host, the port, and the proxy's own credentials. */
export function openTunnel(toProxy: Socket, proxy: string, { host, port }: Address): Promise<Socket> {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const requested = request({
      ...STRICT,
      createConnection: () => toProxy,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...buildCredentials(proxy) },
    });
    const fail = (error: Error) => {
      toProxy.destroy();
      reject(error);
    };
    requested.on("error", fail);
    requested.on("connect", (reply, tunnel, early) => {
      // Bytes that arrive before the request do not come from the service.
      if (reply.statusCode === 200 && early.length === 0) resolve(tunnel as Socket);
      else fail(new Error("no tunnel"));
    });
    requested.end();
  });
}

function buildCredentials(proxy: string): { "proxy-authorization"?: string } {
  const { username, password } = new URL(proxy);
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
