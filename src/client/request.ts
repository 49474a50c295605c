import { type JsonValue, writeJson } from "../contract/json.ts";
import { type Operation, operationPath, type PathParameters } from "../contract/operation.ts";
import type { WireRequest } from "../contract/wire.ts";
import { VERSION } from "../version.ts";

/** One thing asked of the service: an operation with its parameters filled in, and no token yet. */
export interface Ask {
  operation: Operation;
  parameters?: PathParameters;
  query?: Readonly<Record<string, string>>;
  body?: JsonValue;
}

/** Path and query of what is asked, percent-encoded. */
export function targetOf(ask: Ask): string {
  const path = operationPath(ask.operation, ask.parameters);
  const query = ask.query && new URLSearchParams(ask.query).toString();
  return query ? `${path}?${query}` : path;
}

/**
 * The request as it goes over the wire. Replies are asked for uncompressed, so that their size is known.
 * @param token empty where none is to be sent
 */
export function wireRequest(ask: Ask, token: string): WireRequest {
  const headers = {
    ...(token !== "" && { authorization: `Bearer ${token}` }),
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": `relayctl/${VERSION}`,
  };
  const request = { method: ask.operation.method, target: targetOf(ask) };
  if (ask.body === undefined) return { ...request, headers };
  return { ...request, headers: { ...headers, "content-type": "application/json" }, body: writeJson(ask.body) };
}
