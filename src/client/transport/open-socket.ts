import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { FindAddresses, NetworkOptions } from "../network-options.ts";
import { addressOf } from "./address.ts";
import { openTunnel } from "./tunnel.ts";

/**
 * A connection to the service over which nothing was sent yet: direct or through the proxy, with TLS where the origin asks
 * for it. The signal ends the opening.
 */
export async function openSocket(options: NetworkOptions, signal: AbortSignal): Promise<Socket> {
  const { origin, proxy, findAddresses } = options;
  const lookup = findAddresses && { lookup: lookupBy(findAddresses, signal) };
  const tcp = connect({ ...addressOf(proxy ?? origin), noDelay: true, ...lookup });
  const leave = () => tcp.destroy(new Error("left"));
  signal.addEventListener("abort", leave);
  try {
    await opened(tcp, "connect");
    const toOrigin = proxy === undefined ? tcp : await openTunnel(await withTls(proxy, tcp, options), proxy, origin);
    return await withTls(origin, toOrigin, options);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** A lookup as Node asks for it: for all addresses, or for the first one if it is told to try no others. */
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

/** Certificates are verified, whatever the environment says. */
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
