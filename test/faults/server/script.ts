/** The requests that a script responds to; an absent member matches everything. */
interface Match {
  method?: string;
  /** Path without its query. */
  path?: string;
  /** Only the nth request that matches, from 1. */
  nth?: number;
  /** Only once a write was applied. */
  afterWrite?: true;
}

/**
 * What happens to a matching request, or to every connection from the nth on. After a greeting, requests are served as
 * usual.
 */
export type Script =
  | { match: Match; steps: readonly Step[] }
  | { connection: number; steps: readonly Step[] }
  | { connection: number; greeting: string };

/** Scripts are data, so that a table can list, name and combine them. One without a close leaves the connection open. */
export type Step =
  /** Waits until that much of the body has arrived; the script ends when the client leaves before. */
  | { do: "read"; bytes: number | "all" }
  /**
   * Waits for an event, never for a time: the client has left, or sends another request to the server, or on the connection; or
   * the end.
   */
  | { do: "wait"; until: "gone" | "asked again" | "asked here" | "end" }
  /** Changes the state, unless the service refuses the request, and enters it in the ledger. */
  | { do: "apply" }
  /** The service's response, complete unless it is edited. Applies the request unless that was done. */
  | { do: "answer"; edit?: Edit }
  /** Bytes as they are, one for each character. */
  | { do: "send"; text: string }
  | { do: "flood"; text: string; bytes: number }
  /** The text again and again, one character at a time, until the client leaves. */
  | { do: "drip"; text: string; every: number }
  /** Compressed zeros that become this many bytes. */
  | { do: "gzip bomb"; bytes: number }
  | { do: "hang" }
  | { do: "fin" }
  | { do: "rst" };

/** Changes to the service's response. */
export interface Edit {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Members of `data` that are replaced. */
  data?: Readonly<Record<string, unknown>>;
  /** The resource as it was before, as from a service that ignores what it is asked. Nothing is applied. */
  unchanged?: true;
  /** How the body is written: `plain` unless named. */
  encoding?: "plain" | "chunked" | "gzip" | "utf-16" | "until close" | "in pieces";
  before?: string;
  after?: string;
  /** Bytes in one piece with the whole response, before its head. */
  ahead?: string;
  /** Bytes in one piece with the whole response, after its end. */
  behind?: string;
  /** How many bytes of the body are sent; all of them are announced. Less than 0: that many are missing. */
  keep?: number;
}
