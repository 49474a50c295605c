import { type Transport, type TransportCause, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import type { Chain } from "./chain.ts";
import { createNode, hex, type Node } from "./node.ts";
import { reply } from "./reply.ts";
import type { ModelWorld } from "./world.ts";

/** What a user's own node is like. */
export const OWN_NODES = ["honest", "pruned", "silent", "of another chain", "false receipts", "false blocks"] as const;
export type OwnNode = (typeof OWN_NODES)[number];

export const OWN_NODE_URL = "http://127.0.0.1:8545/";

const DAY = 86_400;

function nodeOf(chain: Chain, kind: OwnNode): Node {
  const node = createNode(chain, { state: kind === "pruned" ? 3 : 128, isIndexed: kind === "honest" });
  return (method, params) => {
    const found = node(method, params);
    return "result" in found ? { result: changed(kind, method, found.result) } : found;
  };
}

function changed(kind: OwnNode, method: string, result: unknown): unknown {
  if (kind === "of another chain" && method === "eth_chainId") return hex(1);
  if (typeof result !== "object" || result === null) return result;
  if (kind === "false receipts" && method === "eth_getTransactionReceipt") {
    return { ...result, transactionHash: `0x${"f".repeat(64)}` };
  }
  if (kind === "false blocks" && method === "eth_getBlockByNumber") {
    const { timestamp, number } = result as { timestamp: string; number: string };
    return { ...result, timestamp: hex(Number(timestamp) + DAY), number: hex(Number(number) + 1_000) };
  }
  return result;
}

/** Returns the way of one program to a user's own node. */
export function ownNodeTransport({ timeline, chance, chain }: ModelWorld, kind: OwnNode): Transport {
  const node = nodeOf(chain, kind);
  return ({ body = "" }, { signal }) =>
    new Promise<WireReply>((resolve, reject) => {
      const leave = () =>
        reject(new TransportFailure(signal.reason as TransportCause, "the user's node", { sent: true }));
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave);
      if (kind === "silent") return;
      timeline.wakeAfter(2 + chance.below(80), () => {
        signal.removeEventListener("abort", leave);
        const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
        const found = node(method, params);
        const rest = "result" in found ? found : { error: { code: found.code, message: "refused" } };
        resolve(reply(200, { jsonrpc: "2.0", id, ...rest }));
      });
    });
}
