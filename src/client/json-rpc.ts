import { onlyReads } from "../contract/json-rpc/only-reads.ts";
import { type JsonRpcError, type JsonRpcVerdict, jsonRpcErrorOf, jsonRpcVerdict } from "../contract/json-rpc.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import type { ApiResult } from "./api-result.ts";
import { httpFacts } from "./attempt/failed.ts";
import { oneLine } from "./attempt/reply.ts";
import type { ClientContext } from "./client-context.ts";
import { readAny } from "./read.ts";
import type { ApiRequest } from "./request.ts";
import { write } from "./write.ts";

/**
 * Asks a node through a relayer. A method that only asks is a read: asked again where that helps, and never of an unknown
 * outcome. Any other is sent at most once.
 * @returns the whole JSON-RPC answer, its `result` in it
 * @throws RelayctlError with status 200 for a JSON-RPC error
 */
export async function callJsonRpc(requested: ApiRequest, clientContext: ClientContext): Promise<ApiResult> {
  const request = asItActs(requested);
  const reads = request.operation.kind === "read";
  const result = reads ? await readAny(request, clientContext) : await write(request, clientContext);
  const error = jsonRpcErrorOf(result.data);
  if (error) throw failureOf(request, error, !reads);
  return result;
}

/** The same request as a read, where its body only asks for something. */
export function asItActs(requested: ApiRequest): ApiRequest {
  const { operation, body } = requested;
  const asks = operation.id === "relayers.rpc" && onlyReads(body);
  return asks ? { ...requested, operation: { ...operation, kind: "read" } } : requested;
}

const FAILURES: Record<JsonRpcVerdict, Failure> = {
  refused: "rejected",
  unreachable: "server",
  limited: "rate_limited",
  other: "rejected",
};

/** The service asks several nodes in turn and tells the last error alone: of what was sent it proves nothing but a refusal as such. */
function failureOf(requested: ApiRequest, error: JsonRpcError, writes: boolean): RelayctlError {
  const { code, message, description } = error;
  const verdict = jsonRpcVerdict(error);
  const words = oneLine(`JSON-RPC error ${code}: ${message}`);
  const because = description === "" ? [] : [oneLine(description)];
  const http = httpFacts(requested, 200);
  if (!writes || verdict === "refused") return new RelayctlError(FAILURES[verdict], words, { because, http });
  return new RelayctlError("unknown", `unknown whether the request was applied: ${words}`, {
    because: [...because, "check the outcome before you send the request again"],
    http,
  });
}
