import type { JsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { ApiResult } from "../api-result.ts";
import { timeOf } from "../attempt/failed.ts";
import type { ClientContext } from "../client-context.ts";
import type { ApiRequest } from "../request.ts";
import { compareWithResponse } from "./compare-with-response.ts";
import { differenceText } from "./mismatch.ts";
import { canBeReadBack, readTarget } from "./target.ts";

/** What a read showed after the response to a write was lost, and when. */
export interface ReadBackResult {
  at: number;
  seen?: ApiResult;
  /** The error that the read returned instead. */
  problem?: string;
  /** The service responded that the resource does not exist. */
  gone?: true;
}

/** Reads the target of a write. Returns a problem instead of throwing if the target cannot be read. */
export async function readBackNow(request: ApiRequest, clientContext: ClientContext): Promise<ReadBackResult> {
  if (!canBeReadBack(request)) return { at: clientContext.clock.now() };
  try {
    const seen = await readTarget(request, clientContext);
    return { at: clientContext.clock.now(), seen };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const gone = error.failure === "not_found" && { gone: true as const };
    return { at: clientContext.clock.now(), problem: problemOf(request, error), ...gone };
  }
}

function problemOf({ operation }: ApiRequest, { failure, message, http }: RelayctlError): string {
  // A transaction in the response exists, but belongs to another relayer.
  const isResponse = http?.status === 200;
  if (failure === "not_found") return operation.id === "tx.send" || isResponse ? message : "it does not exist";
  return `it could not be read back: ${failure === "interrupted" ? failure : message}`;
}

/** Returns lines with the values that were read, for a user who must decide what to do. */
export function readBackLines(request: ApiRequest, { at, seen, problem }: ReadBackResult): string[] {
  const when = `at ${timeOf(at)}`;
  if (problem !== undefined) return [`${when} ${problem}`];
  if (!seen) return [`${request.operation.kind === "once" ? "a call" : "what this changes"} cannot be read back`];
  if (request.operation.kind === "remove") return [`${when} the service still shows it; the request may still arrive`];
  const { different, unconfirmed } = compareWithResponse(request, seen.data as JsonObject);
  if (request.operation.id === "tx.send") return [`${when} ${newestText(seen.data, different.length === 0)}`];
  const lines = different.map(
    (difference) => `${when} the service shows ${differenceText(difference)}; it may still arrive`,
  );
  const hidden = unconfirmed.map((path) => `${path} cannot be read back`);
  return lines.length + hidden.length === 0
    ? [`${when} the service shows the requested values, which proves nothing here`]
    : [...lines, ...hidden];
}

function newestText({ id, status, created_at: created }: JsonObject, hasRequestedValues: boolean): string {
  const which = hasRequestedValues
    ? "it matches the request and may be its result"
    : "it is a different transaction, and the request may still arrive";
  return `the newest transaction of the relayer is ${id}, ${status}, of ${created}: ${which}`;
}
