import type { OnReadOpts, Socket } from "node:net";
import type { SecureContext, SecureContextOptions } from "node:tls";
import { SILENCE } from "../../timing.ts";
import { addressLookup, addressOf } from "./address.ts";
import { certificateOptions } from "./client-certificate.ts";
import { SENT_BEFORE_REQUEST } from "./failure.ts";
import type { NetworkOptions } from "./transport.ts";
import { type Wire, watchWire } from "./wire.ts";

/** The part of `node:tls` that knows certificates. `getCACertificates` exists in Node 22.15 and later. */
interface Certificates {
  rootCertificates: readonly string[];
  getCACertificates?(type: "default" | "system"): string[];
  createSecureContext(options?: SecureContextOptions & { ca?: string[] }): SecureContext;
}

type TrustedRoots = ReturnType<typeof createTrustedRoots>;

/** Errors of a chain whose end is not trusted: a root that the server sends, or a certificate that is its own root. */
const UNKNOWN_ISSUER = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
];

/** Returns whether an error says that more roots could make the certificate trusted. */
function isUnknownIssuer(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNKNOWN_ISSUER.includes(String(error.code));
}

/** Trusts only the user's certificates until `addOthers` is called: to parse Node's takes longer than to connect. */
export function createTrustedRoots(
  own: readonly string[],
  { includesSystems = false, clientCertificate }: Pick<NetworkOptions, "includesSystems" | "clientCertificate"> = {},
  load: () => Promise<Certificates> = () => import("node:tls"),
) {
  let wereAdded = false;
  let hasOthers = true;
  let context: Promise<SecureContext> | undefined;
  async function createContext(): Promise<SecureContext> {
    const tls = await load();
    const create = (ca?: readonly string[]) =>
      tls.createSecureContext({ ...(ca && { ca: [...ca] }), ...certificateOptions(clientCertificate) });
    // Older versions of Node do not know the system's certificates.
    hasOthers = own.length > 0 || tls.getCACertificates !== undefined;
    if (wereAdded && hasOthers) return create([...own, ...nodesAndSystems(tls)]);
    if (own.length > 0) return create(own);
    // The system's certificates only come after an unknown issuer: they would trust a self-signed certificate.
    return create(includesSystems ? tls.rootCertificates : undefined);
  }
  return {
    get hasOthers() {
      return hasOthers;
    },
    get wereAdded() {
      return wereAdded;
    },
    context() {
      context ??= createContext();
      return context;
    },
    addOthers() {
      if (!wereAdded) context = undefined;
      wereAdded = true;
    },
  };
}

function nodesAndSystems({ rootCertificates, getCACertificates }: Certificates): string[] {
  if (!getCACertificates) return [...rootCertificates];
  return [...getCACertificates("default"), ...getCACertificates("system")];
}

/** Four times Node's own chunk: a page takes fewer reads. */
const READ_BYTES = 262_144;

/** A connection to the service before any byte in either direction. */
export type Opened = Awaited<ReturnType<typeof connectSocket>>;

interface Opening {
  listens?: boolean;
  /** Bytes are then only valid during their `data` event, and it can't be piped. Ignored for TLS and proxies. */
  reusesMemory?: boolean;
}

/** Opens a connection: direct or through the proxy, with TLS if the origin requires it. */
export type OpenSocket = (signal: AbortSignal, opening?: Opening) => Promise<Opened>;

export function createOpenSocket(options: NetworkOptions, broke: () => void): OpenSocket {
  const roots = createTrustedRoots(options.caCertificates, options);
  const { clientCertificate: _, ...toProxy } = options;
  const proxyRoots = options.clientCertificate ? createTrustedRoots(options.caCertificates, toProxy) : roots;
  return async (signal, opening = {}) => {
    const { wereAdded } = roots;
    try {
      return await connectSocket(options, signal, { ...opening, roots, proxyRoots, broke });
    } catch (error) {
      if (wereAdded || !roots.hasOthers || !isUnknownIssuer(error) || signal.aborted) throw error;
      roots.addOthers();
      proxyRoots.addOthers();
      return await connectSocket(options, signal, { ...opening, roots, proxyRoots, broke });
    }
  };
}

async function connectSocket(
  { origin, proxy, findAddresses }: NetworkOptions,
  signal: AbortSignal,
  {
    listens = false,
    reusesMemory = false,
    roots,
    proxyRoots,
    broke,
  }: Opening & { roots: TrustedRoots; proxyRoots: TrustedRoots; broke(): void },
) {
  // Loaded first: nothing listens to a connected socket meanwhile.
  const { connect } = await import("node:net");
  const tunnel = proxy === undefined ? undefined : await import("./open-tunnel.ts");
  const lookup = findAddresses && { lookup: addressLookup(findAddresses, signal) };
  const isPlain = proxy === undefined && origin.startsWith("http:");
  const tcp: Socket = connect({
    ...addressOf(proxy ?? origin),
    noDelay: true,
    ...lookup,
    ...(reusesMemory && isPlain && { onread: sameMemory((chunk) => tcp.emit("data", chunk)) }),
  });
  const leave = () => tcp.destroy(new Error("left"));
  signal.addEventListener("abort", leave);
  try {
    await awaitOpened(tcp, "connect");
    const toOrigin =
      tunnel && proxy ? await tunnel.openTunnel(await withTls(proxy, tcp, proxyRoots), proxy, addressOf(origin)) : tcp;
    const socket = await withTls(origin, toOrigin, roots);
    const wire = watchWire(socket, broke);
    if (listens) await awaitSilence(socket, wire);
    return { socket, wire };
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** Reads a socket into the same memory instead of into new memory for each chunk. */
function sameMemory(take: (chunk: Buffer) => void): OnReadOpts {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  return {
    buffer,
    callback(bytes) {
      take(buffer.subarray(0, bytes));
      return true;
    },
  };
}

/** Waits briefly, and rejects if a response arrives before the request: no response is then sure to belong to it. */
async function awaitSilence(socket: Socket, wire: Wire): Promise<void> {
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
async function withTls(url: string, socket: Socket, roots: TrustedRoots): Promise<Socket> {
  if (!url.startsWith("https:")) return socket;
  const { connect: secure } = await import("node:tls");
  const { host, isName } = addressOf(url);
  const secured = secure({
    socket,
    host,
    ...(isName && { servername: host }),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
    secureContext: await roots.context(),
  });
  return await awaitOpened(secured, "secureConnect");
}

function awaitOpened(socket: Socket, event: string): Promise<Socket> {
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
