import { quantity } from "../evm/quantity.ts";
import { type ChainNode, type NodeFault, read } from "./node.ts";

/** Returns a node that checks its chain ID before the first request. @param chainId that of the network */
export function onSameChain(node: ChainNode, chainId: bigint): ChainNode {
  let refused: Promise<NodeFault | undefined> | undefined;
  return {
    get name() {
      return node.name;
    },
    async ask(method, params) {
      refused ??= readRefusal(node, chainId);
      const fault = await refused;
      if (!fault) return await node.ask(method, params);
      // Only a wrong chain is final: any other fault may have passed by the next request.
      if (fault.kind !== "wrong_chain") refused = undefined;
      return { fault };
    },
  };
}

async function readRefusal(node: ChainNode, chainId: bigint): Promise<NodeFault | undefined> {
  const found = await read(node, "eth_chainId", [], quantity);
  if ("fault" in found) return found.fault;
  if (found.value === chainId) return undefined;
  return { kind: "wrong_chain", words: `${node.name} is on chain ${found.value}, the network is chain ${chainId}` };
}
