import { request } from "node:http";
import type { Socket } from "node:net";
import { credentialsOf } from "../../contract/encoding/user-info.ts";
import type { Address } from "./address.ts";
import { STRICT } from "./response-head.ts";

/** Opens a tunnel through a proxy, which gets only the host, the port, and the proxy's own credentials. */
export function openTunnel(toProxy: Socket, proxy: string, { host, port }: Address): Promise<Socket> {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = credentialsOf(proxy);
  return new Promise((resolve, reject) => {
    const requested = request({
      ...STRICT,
      createConnection: () => toProxy,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(credentials && { "proxy-authorization": `Basic ${credentials}` }) },
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
