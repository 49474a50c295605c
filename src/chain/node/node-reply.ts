import { oneLine } from "../../client/attempt/reply.ts";
import { isJsonObject, type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../../contract/json.ts";
import { jsonRpcErrorIn, jsonRpcReplyShape, nodeErrorCode } from "../../contract/json-rpc.ts";
import type { WireReply } from "../../contract/wire.ts";
import { faultKindOf } from "./fault-kind.ts";
import { type NodeFault, type NodeFaultKind, type Reading, unreadable } from "./node.ts";
import { revertIn } from "./revert.ts";

/** The most JSON values in a response that is read. */
const MAX_VALUES = 1_000_000;

export interface NodeReply {
  reading: Reading<JsonValue>;
  /** Whether it belongs to the request. */
  isOwn: boolean;
}

/**
 * Reads the response of a node to a request. A response with another ID is not believed.
 * @param id the ID of the request
 * @param hide removes secrets from the node's own words
 */
export function readNodeReply(response: WireReply, id: number, hide: (text: string) => string): NodeReply {
  const json = parsed(response.body);
  const isOwn = !isJsonObject(json) || isReplyTo(id, json);
  return { isOwn, reading: isOwn ? readingOf(response.status, json, hide) : unreadable(OTHER_ID) };
}

const OTHER_ID = "the response has a different ID than the request";

/** Returns whether the ID of a response fits. An error has none if the node did not read the request. */
function isReplyTo(id: number, json: JsonObject): boolean {
  return json.id === id || (!Object.hasOwn(json, "result") && (json.id ?? null) === null);
}

function readingOf(status: number, json: JsonValue | undefined, hide: (text: string) => string): Reading<JsonValue> {
  const error = isJsonObject(json) && isJsonObject(json.error) ? json.error : undefined;
  if (error) return errorReading(status, error, hide);
  if (status === 429) return fault("limited", "the node limits the rate of requests");
  if (status < 200 || status > 299)
    return fault(status >= 500 ? "unreachable" : "failed", `the node returned HTTP ${status}`);
  if (!isJsonObject(json) || jsonRpcReplyShape(json) !== undefined) return unreadable("the response is not JSON-RPC");
  return { value: json.result ?? null };
}

function errorReading(status: number, error: JsonObject, hide: (text: string) => string): { fault: NodeFault } {
  const found = jsonRpcErrorIn(error);
  const code = nodeErrorCode(found);
  const revert = revertIn(error, hide);
  const kind = revert ? "reverted" : faultKindOf(found);
  return {
    fault: {
      kind: status === 429 ? "limited" : kind,
      words: `JSON-RPC error ${code}: ${oneLine(hide(found.message))}`,
      code,
      ...(revert && { revert }),
    },
  };
}

function fault(kind: NodeFaultKind, words: string): { fault: NodeFault } {
  return { fault: { kind, words } };
}

function parsed(body: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body), { values: MAX_VALUES });
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
