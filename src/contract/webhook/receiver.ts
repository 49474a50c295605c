/** A function that receives requests. Texts of requests are raw. */
export interface Receiver {
  /** 0 for any free port. */
  port: number;
  /** The flag that the port was typed with, for errors (default: `--port`). */
  flag?: string;
  /** Whether other machines can send requests, to any address of this machine. */
  isPublic: boolean;
  /** The address to listen on, unless it is public (default: 127.0.0.1). */
  host?: string;
  /** A certificate and its key in PEM, for HTTPS. */
  tls?: { cert: string; key: string } | undefined;
  /** The largest body, in bytes. */
  maxBytes: number;
  /** The most bytes of all bodies in memory: further requests get a 503. */
  maxHeld: number;
  /** Returns the response to a request that its head refuses; undefined to read its body. */
  refuse(head: RequestHead): ReceiverReply | undefined;
  respond(request: ReceivedRequest): Promise<ReceiverReply>;
  /** Called for each request without a whole body, and for each connection without a valid request. */
  lost(why: "too large" | "busy" | "cut" | "malformed" | "slow" | "too many connections"): void;
  /** Called with the port when the server listens. */
  listening(port: number): Promise<void>;
  /** Ends the server, after half a second for pending responses. */
  interrupt: AbortSignal;
}

/** Names of headers are in lowercase. */
export interface RequestHead {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
}

export interface ReceivedRequest extends RequestHead {
  /** Byte for byte. */
  body: Uint8Array;
}

export interface ReceiverReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}
