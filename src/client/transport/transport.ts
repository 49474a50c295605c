import type { ClientCertificate, WireReply, WireRequest } from "../../contract/wire.ts";

/**
 * The connection of a request. `own` is new, for a single write: a stale socket would make the outcome uncertain.
 * `kept` may be open from an earlier read. `pooled` is one of many, for writes in bulk.
 */
export type Connection = "own" | "kept" | "pooled";

export interface AttemptLimits {
  maxBytes: number;
  connection: Connection;
  /** Ends the attempt: on timeout, or on an interrupt. The abort reason is a `TransportCause`. */
  signal: AbortSignal;
  /** Called when the request starts to wait for a connection; returns a function to call before bytes are sent. */
  untilSent?(): () => void;
  /** Returns whether a response belongs to the request. If not, its connection is closed. */
  isOwn?(response: WireReply): boolean;
  /** Absent for a read, since a false refusal of a read does no harm. */
  confirmation?: Confirmation;
}

/**
 * Shows that a refusal is the response to its request, and not a leftover: the service responds in order, so any
 * response that it still owes on the connection comes before it closes the connection or responds to another request.
 */
export interface Confirmation {
  isNeeded(response: WireReply): boolean;
  linger(signal: AbortSignal): Promise<void>;
  question(): WireRequest;
  /** Returns whether the response to that read shows that no other response is due. */
  isResponse(response: WireReply): boolean;
}

/**
 * Sends one request once and resolves to the complete response; `doubt` says why a refusal may belong to another
 * request. It never retries or follows a redirect. The embedded server is a transport, like a connection to a real
 * service.
 * @throws TransportFailure
 */
export type Transport<Request = WireRequest> = (request: Request, limits: AttemptLimits) => Promise<WireReply>;

export type TransportCause =
  | "dns"
  | "connect"
  | "tls"
  | "certificate"
  | "proxy"
  | "timeout"
  | "interrupted"
  | "reset"
  | "protocol"
  | "too_large"
  | "encoding";

/** An attempt without a complete response. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly reason: TransportCause;
  /** False only if it is certain that no byte of the request left (promises 7.1). */
  readonly sent: boolean;
  /** The status, if its line was read before the response broke off. */
  readonly status: number | undefined;

  constructor(
    reason: TransportCause,
    message: string,
    facts: { sent: boolean; status?: number | undefined; cause?: unknown },
  ) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.reason = reason;
    this.sent = facts.sent;
    this.status = facts.status;
  }
}

export interface NetworkOptions {
  /** The origin, with the path before the target of each request: `https://gw.example.org/relayer`. */
  origin: string;
  /** PEM certificates to trust in addition to the usual ones. */
  caCertificates: readonly string[];
  /** Only for the service, never for the proxy. */
  clientCertificate?: ClientCertificate;
  /** Absent for a direct connection. Credentials in it are used and never shown. */
  proxy?: string;
  /** Whether failures contain flags of the program in place of options of the library. */
  asFlags?: boolean;
  /** Resolves a host name (default: Node's resolver). */
  findAddresses?: FindAddresses;
  /** Called before the pool for many requests at once compiles its parser. */
  beforeParsing?: () => void;
  /** Whether the usual certificates include the system's unless they are listed, as in Bun. */
  includesSystems?: boolean;
  /** Called with the number of bytes that were copied out of buffers. */
  copied?: (bytes: number) => void;
}

/** Resolves a host name to addresses, in order. Rejects with the code `ENOTFOUND` if there are none. */
export type FindAddresses = (name: string, signal: AbortSignal) => Promise<readonly string[]>;
