import type { NodeFault } from "../../chain/node/node.ts";
import { TransportFailure } from "../../client/transport/transport.ts";
import { isJsonRpcError } from "../../contract/json-rpc.ts";
import { RelayctlError } from "../../errors.ts";

/** What the service says of a node that it could not ask (facts 13.10); its other failures have other words. */
const OF_NODE = /transport error|sending request|\brpc\b|\bprovider\b|https?:\/\//i;

/**
 * Returns whether a failed request shows that the node of a relayer is silent. Without a response, the service may wait
 * for the node; if the connection to the service fails, or the service fails otherwise, nothing is known of the node.
 */
export function isOfNode({ failure, message, http, cause }: RelayctlError): boolean {
  if (failure === "network") return cause instanceof TransportFailure && cause.reason === "timeout";
  return failure === "server" && (http?.status ?? 0) >= 500 && OF_NODE.test(message);
}

/** Returns the same of a call to a node, which is asked directly or through the service. */
export function isFaultOfNode({ cause }: NodeFault): boolean {
  return !(cause instanceof RelayctlError) || isJsonRpcError(cause.cause) || isOfNode(cause);
}

/** Returns whether the service refused a call to a node by rate; a node that does so itself has a limit of its provider. */
export function isLimitOfService({ kind, cause }: NodeFault): boolean {
  return kind === "limited" && cause instanceof RelayctlError && !isJsonRpcError(cause.cause);
}
