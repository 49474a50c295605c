import type { JsonObject } from "../../contract/json.ts";
import type { LostSend } from "../../recovery/lost-send.ts";

/** One request that sent a row, or may have, as it is recorded. */
export interface Attempt extends LostSend {
  row: number;
  /**
   * - `applied`: the service accepted it.
   * - `refused`: the service certainly did not.
   * - `open`: it is unknown whether the service accepted it.
   * - `assumed`: as `open`, but a user said that it was not sent.
   */
  outcome: "applied" | "refused" | "open" | "assumed";
  /** The ID of its transaction, if it was applied, or the hash if its record was deleted. */
  transactionId?: string;
  hash?: string;
  /** Why it was refused, or why its outcome is not known. */
  why?: string;
  /** The HTTP status of a refusal; absent if the request did not reach the service. */
  status?: number;
}

export function openAttempt(row: number, why: string): Attempt {
  return { id: "", run: "", row, time: 0, shape: undefined, outcome: "open", why };
}

export interface RowRequest {
  row: number;
  body: JsonObject;
}

export interface RowRequests extends Iterable<RowRequest> {
  readonly length: number;
}
