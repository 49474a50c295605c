import { isJsonObject } from "../contract/json.ts";
import { onlyReads } from "../contract/json-rpc/reading-methods.ts";
import { type JsonRpcErrorKind, jsonRpcErrorKind, jsonRpcErrorOf } from "../contract/json-rpc.ts";
import { CHECK_FIRST, type Failure, MAYBE_APPLIED, RelayctlError } from "../errors.ts";
import type { Success } from "./attempt/outcome.ts";
import { failedHttpFacts } from "./attempt/refusal.ts";
import { shownTextLine } from "./attempt/shown-text.ts";
import type { Clock } from "./clock.ts";
import type { ApiRequest } from "./request.ts";

/** Returns a generator of IDs that begins at the current time: another program may share a proxy's connections. */
export function createJsonRpcIds({ now }: Pick<Clock, "now">): () => number {
  let last = now();
  return () => ++last;
}

/** Returns the same request as a read if its method only reads. */
export function withJsonRpcKind(requested: ApiRequest): ApiRequest {
  const { operation, body } = requested;
  const isRead = operation.id === "relayers.rpc" && onlyReads(body);
  return isRead ? { ...requested, operation: { ...operation, kind: "read" } } : requested;
}

const FAILURES: Record<JsonRpcErrorKind, Failure> = {
  refused: "rejected",
  unreachable: "server",
  limited: "rate_limited",
  other: "rejected",
};

/** Returns the error of a response with one; the last node's proves nothing about a write unless it is a refusal. */
export function jsonRpcFailure(request: ApiRequest, response: Success): RelayctlError | undefined {
  const { id, kind } = request.operation;
  const error = id === "relayers.rpc" && isJsonObject(response.data) ? jsonRpcErrorOf(response.data) : undefined;
  if (!error) return undefined;
  const { hide } = response.reply;
  const { code, message, description } = error;
  const verdict = jsonRpcErrorKind(error);
  const words = shownTextLine(`JSON-RPC error ${code}: ${message}`, hide);
  const because = description === "" ? [] : [shownTextLine(description, hide)];
  const http = failedHttpFacts(request, 200);
  if (kind === "read" || verdict === "refused")
    return new RelayctlError(FAILURES[verdict], words, { because, http, cause: error });
  return new RelayctlError("unknown", `${MAYBE_APPLIED}${words}`, { because: [...because, CHECK_FIRST], http });
}
