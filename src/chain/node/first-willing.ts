import type { ChainNode } from "./node.ts";

/** Returns a node that is replaced by the first willing one of others if its relayer refuses (facts 15.7). */
export function firstWilling(node: ChainNode, findOthers: () => Promise<readonly ChainNode[]>): ChainNode {
  let current = node;
  let others: readonly ChainNode[] | undefined;
  return {
    get name() {
      return current.name;
    },
    async ask(method, params) {
      const reading = await current.ask(method, params);
      if (!("fault" in reading) || reading.fault.kind !== "refused" || current !== node) return reading;
      others ??= await findOthers();
      for (const other of others) {
        const second = await other.ask(method, params);
        if ("fault" in second && second.fault.kind === "refused") continue;
        current = other;
        return second;
      }
      return reading;
    },
  };
}
