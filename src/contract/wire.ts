/** Without the origin, which the transport knows. */
export interface WireRequest {
  method: Method;
  /** Path and query, percent-encoded: `/api/v1/relayers?page=1`. */
  target: string;
  /** Names in lowercase. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** A body that may not be text, in place of `body`. */
  bytes?: Uint8Array;
}

/** Only for the origin that they belong to. */
export interface Credentials {
  /** Empty for a request without one. */
  token: string;
  /** Further headers, e.g. for a gateway in front of the service. */
  headers?: Readonly<Record<string, string>>;
}

/** A certificate that a service demands of its clients, with its key: in PEM, or as PKCS#12. */
export type ClientCertificate = ({ cert: string; key: string } | { pfx: Uint8Array }) & { passphrase?: string };

/** A complete response, never a truncated one. */
export interface WireReply {
  status: number;
  /** Names in lowercase. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Returns the memory of the body, which the reader may otherwise overwrite; absent for ordinary memory. @internal */
  release?(): void;
  /** Returns when the service's certificate expires, in milliseconds since 1970; absent without TLS. */
  certificateEnds?(): number | undefined;
  /** Why this may not be the response to the request, if it refuses a write. @internal */
  doubt?: string;
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** Every path of the service starts with this (interface 1.1). */
export const API_PREFIX = "/api/v1";
