import type { RelayersClient } from "../../client/resources.ts";
import type { JsonValue } from "../../contract/json.ts";
import { onlyReads } from "../../contract/json-rpc/reading-methods.ts";
import { isJsonRpcError, nodeErrorCode } from "../../contract/json-rpc.ts";
import { type Failure, RelayctlError } from "../../errors.ts";
import { type ChainNode, faultKindOf, type NodeFault, type NodeFaultKind, type Reading } from "./node.ts";

/** Returns the node of a relayer, which the service asks (facts 3.3). */
export function relayerNode(relayers: Pick<RelayersClient, "rpc">, relayerId: string): ChainNode {
  return {
    name: `the node of ${relayerId}`,
    async ask(method, params): Promise<Reading<JsonValue>> {
      const request = { jsonrpc: "2.0", method, params: params as JsonValue };
      // Any other method would be sent as a write.
      if (!onlyReads(request)) throw new RelayctlError("internal", `${method} is not a method that only reads`);
      try {
        const { data } = await relayers.rpc(relayerId, request, { withNewId: true });
        return { value: data.result ?? null };
      } catch (error) {
        if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
        return { fault: createFault(error) };
      }
    },
  };
}

function createFault(error: RelayctlError): NodeFault {
  const { message, because, cause } = error;
  if (isJsonRpcError(cause)) {
    const code = nodeErrorCode(cause);
    return { kind: faultKindOf(cause), words: [message, ...because].join(": "), code, cause: error };
  }
  return { kind: getKind(error), words: message, cause: error };
}

const KINDS: Partial<Record<Failure, NodeFaultKind>> = {
  conflict: "refused",
  network: "unreachable",
  rate_limited: "limited",
};

/** Returns the fault kind of a service's failure. An unreadable success has status 200 and is a server failure. */
function getKind({ failure, http }: RelayctlError): NodeFaultKind {
  if (failure === "server") return (http?.status ?? 0) >= 500 ? "unreachable" : "unreadable";
  return KINDS[failure] ?? "failed";
}
