import { type ChainNode, type NodeFault, withAsk } from "./node.ts";

export const LATE = "the time limit was reached";

export interface NodeBounds {
  calls: number;
  /** Absent if there is no limit. */
  remaining?: (() => number) | undefined;
}

export function bounded(node: ChainNode, { calls, remaining }: NodeBounds): ChainNode {
  let left = calls;
  const fault = (words: string): { fault: NodeFault } => ({ fault: { kind: "exhausted", words } });
  return withAsk(node, async (method, params) => {
    if (remaining && remaining() <= 0) return fault(LATE);
    if (left-- <= 0) return fault(`${calls} requests to the node were not enough`);
    return await node.ask(method, params);
  });
}
