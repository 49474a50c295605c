import type { ChainNode, NodeFault, NodeParams, Reading } from "../../src/chain/node/node.ts";
import type { JsonValue } from "../../src/contract/json.ts";

/** A node as a plain function, and the requests that it received. */
export interface FakeNode extends ChainNode {
  asked: { method: string; params: readonly JsonValue[] }[];
}

type Respond = (method: string, params: readonly JsonValue[]) => JsonValue | Reading<JsonValue>;

export function fakeNode(respond: Respond, name = "the node of evm-1"): FakeNode {
  const asked: FakeNode["asked"] = [];
  return {
    name,
    asked,
    ask(method, given) {
      const params = listOf(given);
      asked.push({ method, params });
      const response = respond(method, params);
      return Promise.resolve(isReading(response) ? response : { value: response });
    },
  };
}

export function listOf(params: NodeParams): readonly JsonValue[] {
  return Array.isArray(params) ? params : [];
}

function isReading(response: unknown): response is Reading<JsonValue> {
  return response instanceof Object && ("fault" in response || "value" in response) && !("hash" in response);
}

export function fault(kind: NodeFault["kind"], words = kind as string): { fault: NodeFault } {
  return { fault: { kind, words } };
}

export const NO_METHOD = fault("no_method");
