/** A request as it goes over the wire, without the origin: who sends it knows where to. */
export interface WireRequest {
  method: Method;
  /** Path and query, percent-encoded: `/api/v1/relayers?page=1`. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** A complete reply. A reply that was cut short is never one of these. */
export interface WireReply {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Why this may not be the response to the request, where it refuses a write. */
  doubt?: string;
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** Every path of the service starts with this (interface 1.1). */
export const API_PREFIX = "/api/v1";
