import type { ChainNode, NodeFault } from "./node.ts";

export const LATE = "the time limit was reached";

export interface NodeBounds {
  calls: number;
  /** Returns the milliseconds left; absent if there is no limit. */
  remaining?: (() => number) | undefined;
}

/** Returns a node that is asked at most so many times, and not after the time has run out. */
export function bounded(node: ChainNode, { calls, remaining }: NodeBounds): ChainNode {
  let left = calls;
  const fault = (words: string): { fault: NodeFault } => ({ fault: { kind: "exhausted", words } });
  return {
    get name() {
      return node.name;
    },
    async ask(method, params) {
      if (remaining && remaining() <= 0) return fault(LATE);
      if (left-- <= 0) return fault(`${calls} requests to the node were not enough`);
      return await node.ask(method, params);
    },
  };
}
