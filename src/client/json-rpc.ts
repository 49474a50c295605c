import { onlyReads } from "../contract/json-rpc/reading-methods.ts";
import { type JsonRpcError, type JsonRpcErrorKind, jsonRpcErrorKind, jsonRpcErrorOf } from "../contract/json-rpc.ts";
import { CHECK_FIRST, type Failure, MAYBE_APPLIED, RelayctlError } from "../errors.ts";
import { failedHttpFacts } from "./attempt/failed-attempt.ts";
import { type Hide, shownTextLine } from "./attempt/shown-text.ts";
import type { ClientContext } from "./client-context.ts";
import type { Clock } from "./clock.ts";
import { readAny } from "./read.ts";
import type { ApiRequest, ApiResult } from "./request.ts";
import { sendWrite } from "./write.ts";

/** Returns a generator of IDs that begins at the current time: another program may share a proxy's connections. */
export function createJsonRpcIds({ now }: Pick<Clock, "now">): () => number {
  let last = now();
  return () => ++last;
}

/**
 * Sends a JSON-RPC request to a node through a relayer. A read method is retried, and its outcome is never unknown. Any
 * other method is sent at most once.
 * @returns the whole JSON-RPC response, including its `result`
 * @throws RelayctlError with status 200 for a JSON-RPC error
 */
export async function callJsonRpc(requested: ApiRequest, clientContext: ClientContext): Promise<ApiResult> {
  const request = withJsonRpcKind(requested);
  const reads = request.operation.kind === "read";
  const result = reads ? await readAny(request, clientContext) : await sendWrite(request, clientContext);
  const error = jsonRpcErrorOf(result.data);
  if (error) throw createFailure(request, error, { writes: !reads, hide: clientContext.secrets?.redact });
  return result;
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

/** Returns the error for a JSON-RPC error; the last node's proves nothing about a write unless it is a refusal. */
function createFailure(
  requested: ApiRequest,
  error: JsonRpcError,
  { writes, hide }: { writes: boolean; hide: Hide | undefined },
): RelayctlError {
  const { code, message, description } = error;
  const verdict = jsonRpcErrorKind(error);
  const words = shownTextLine(`JSON-RPC error ${code}: ${message}`, hide);
  const because = description === "" ? [] : [shownTextLine(description, hide)];
  const http = failedHttpFacts(requested, 200);
  if (!writes || verdict === "refused")
    return new RelayctlError(FAILURES[verdict], words, { because, http, cause: error, leavesNothing: true });
  return new RelayctlError("unknown", `${MAYBE_APPLIED}${words}`, {
    because: [...because, CHECK_FIRST],
    http,
  });
}
