import type { JsonObject } from "../../contract/json.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** One request that sent a row, or may have, as it is recorded. */
export interface Attempt {
  /** The ID of its intent. */
  id: string;
  row: number;
  /** When its intent was recorded, in milliseconds since 1970 by the clock of this machine. */
  time: number;
  /** The earliest time at which its record can have been created, by the clock of the service. */
  since: number;
  /** Undefined if the journal does not contain its body. */
  fingerprint: Fingerprint | undefined;
  /**
   * - `applied`: the service accepted it.
   * - `refused`: the service certainly did not.
   * - `open`: it is unknown whether the service accepted it.
   * - `assumed`: as `open`, but a user said that it was not sent.
   */
  outcome: "applied" | "refused" | "open" | "assumed";
  /** The ID of its transaction, if it was applied. */
  transactionId?: string;
  /** Why it was refused, or why its outcome is not known. */
  why?: string;
  /** The HTTP status of a refusal; absent if the request did not reach the service. */
  status?: number;
}

/** Returns an attempt that is open, as far as it is known without the journal. */
export function openAttempt(row: number, why: string): Attempt {
  return { id: "", row, time: 0, since: 0, fingerprint: undefined, outcome: "open", why };
}

/** What is sent for a row: a request with a gas limit that no other has. */
export interface RowRequest {
  row: number;
  body: JsonObject;
}

/** The requests of several rows. Each is built when it is read. */
export interface RowRequests extends Iterable<RowRequest> {
  readonly length: number;
}
