import { request } from "node:http";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { SILENCE } from "../../timing.ts";
import { SENT_BEFORE_REQUEST } from "./failure.ts";
import type { FindAddresses, NetworkOptions } from "./transport.ts";
import { STRICT, type Wire, watchWire } from "./wire.ts";

/** A connection to the service on which neither side has sent anything. */
export interface Opened {
  socket: Socket;
  wire: Wire;
}

/**
 * Opens a connection: direct or through the proxy, with TLS if the origin requires it. The signal ends the opening.
 * @param listens whether to listen first for a service that sends before the request
 */
export async function openSocket(options: NetworkOptions, signal: AbortSignal, listens: boolean): Promise<Opened> {
  const { origin, proxy, findAddresses } = options;
  const lookup = findAddresses && { lookup: lookupBy(findAddresses, signal) };
  const tcp = connect({ ...addressOf(proxy ?? origin), noDelay: true, ...lookup });
  const leave = () => tcp.destroy(new Error("left"));
  signal.addEventListener("abort", leave);
  try {
    await opened(tcp, "connect");
    const toOrigin = proxy === undefined ? tcp : await openTunnel(await withTls(proxy, tcp, options), proxy, origin);
    const socket = await withTls(origin, toOrigin, options);
    const wire = watchWire(socket);
    if (listens) await silence(socket, wire);
    return { socket, wire };
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** The address to connect to for a service or a proxy. */
interface Address {
  /** A name or an address, IPv6 without brackets. */
  host: string;
  port: number;
  /** Whether the host is a name: certificates are not requested for addresses. */
  isName: boolean;
}

function addressOf(url: string): Address {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    isName: !host.includes(":") && !/^[0-9.]+$/.test(host),
  };
}

/** Returns a lookup in Node's form: for all addresses, or for the first one if Node may try no others. */
function lookupBy(findAddresses: FindAddresses, signal: AbortSignal): LookupFunction {
  return (name, { all }, done) => {
    findAddresses(name, signal).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: isIP(address) }));
        const [first = { address: "", family: 0 }] = addresses;
        if (all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ""),
    );
  };
}

/**
 * Waits briefly, and rejects if a response arrives before the request: then no response on this connection is sure to
 * belong to its request.
 */
async function silence(socket: Socket, wire: Wire): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let silent = 0;
    const tick = () => {
      if (wire.isClosed) return fail(undefined);
      if (++silent < SILENCE) return void socket.setTimeout(1);
      socket.setTimeout(0).off("timeout", tick).off("error", fail).off("close", fail);
      resolve();
    };
    const fail = (error: unknown) => {
      socket.off("timeout", tick).destroy();
      reject(
        wire.hasUnrequestedBytes
          ? new Error(SENT_BEFORE_REQUEST)
          : error instanceof Error
            ? error
            : new Error("closed"),
      );
    };
    socket.on("timeout", tick).on("error", fail).on("close", fail).setTimeout(1);
  });
}

/** Opens TLS. Certificates are always verified, regardless of the environment. */
async function withTls(url: string, socket: Socket, { caCertificates }: NetworkOptions): Promise<Socket> {
  if (!url.startsWith("https:")) return socket;
  const { connect: secure, rootCertificates } = await import("node:tls");
  const { host, isName } = addressOf(url);
  const secured = secure({
    socket,
    host,
    ...(isName && { servername: host }),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
    ...(caCertificates.length > 0 && { ca: [...rootCertificates, ...caCertificates] }),
  });
  return await opened(secured, "secureConnect");
}

function opened(socket: Socket, event: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.on("error", () => {}).destroy();
      reject(error instanceof Error ? error : new Error("closed"));
    };
    socket.once("error", fail).once("close", fail);
    socket.once(event, () => {
      socket.off("error", fail).off("close", fail);
      resolve(socket);
    });
  });
}

/**
 * Opens a tunnel to an origin through a proxy. The request to the proxy contains only the host and port, and the
 * proxy's own credentials.
 */
function openTunnel(toProxy: Socket, proxy: string, origin: string): Promise<Socket> {
  const { host, port } = addressOf(origin);
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const requested = request({
      ...STRICT,
      createConnection: () => toProxy,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...credentialsOf(proxy) },
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

function credentialsOf(proxy: string): { "proxy-authorization"?: string } {
  const { username, password } = new URL(proxy);
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
