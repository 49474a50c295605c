import type { WireReply, WireRequest } from "../../contract/wire.ts";

/**
 * The connection that carries a request. `own` is a new one, for a single write: a stale socket would make it uncertain.
 * `kept` may be one that an earlier read left open. `pooled` is one of many, for writes in bulk.
 */
export type Connection = "own" | "kept" | "pooled";

/** The bounds of one attempt. */
export interface AttemptLimits {
  /** The largest reply that is read, in bytes. */
  maxBytes: number;
  connection: Connection;
  /** Ends the attempt from outside: its time is up, or a person left. The abort reason is a `TransportCause`. */
  signal: AbortSignal;
  /** Called when the request waits for a connection; the returned function when it has one, and bytes of it may leave. */
  untilSent?(): () => void;
  /** How a refusal is confirmed; absent for a read, which a wrong refusal does not harm. */
  confirmation?: Confirmation;
}

/**
 * What shows that a refusal is the response to its request, and not one that was left over from elsewhere: the service sends
 * responses in order, so whatever it still owes on the same connection comes before it closes it or answers another request.
 */
export interface Confirmation {
  /** Whether the response says that nothing was applied. */
  isNeeded(response: WireReply): boolean;
  /** Resolves when a connection has been watched for long enough for what the service may still send. */
  linger(signal: AbortSignal): Promise<void>;
  /** The read that is sent over a connection that stays open. */
  question(): WireRequest;
  /** Whether a response to that read shows that nothing else was owed. */
  isResponse(response: WireReply): boolean;
}

/**
 * Sends one request once and gives the complete reply, with what speaks against a refusal in `doubt`; nothing below it retries or follows a redirect. The embedded
 * server is one of these, and so is a connection to a real service.
 * @throws TransportFailure
 */
export type Transport = (request: WireRequest, limits: AttemptLimits) => Promise<WireReply>;

/** Why no complete reply came. */
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

/** An attempt that gave no complete reply, and what is known of it. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly reason: TransportCause;
  /** False only if it is certain that no byte of the request left (promises 7.1). */
  readonly sent: boolean;
  /** The status, when its line was read before the reply broke off. */
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
