import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Network } from "../../contract/resources/network.ts";
import { parseQuantity } from "../evm/quantity.ts";
import { type ChainNode, type NodeFault, nodeWithAsk, type Reading, readFromNode } from "./node.ts";

/** The longest passphrase or hash that is believed. */
const LONGEST = 100;

/** Reads a node's chain, in words: `chain 1`, or a passphrase or a genesis hash in quotes. One call. */
export async function readChainIdentity(node: ChainNode, kind: NetworkKind): Promise<Reading<string>> {
  switch (kind) {
    case "evm":
      return await readFromNode(node, "eth_chainId", [], (value) => {
        const id = parseQuantity(value);
        return id === undefined ? undefined : `chain ${id}`;
      });
    case "stellar":
      return await readFromNode(node, "getNetwork", {}, (result) =>
        isJsonObject(result) ? quoteChain(result.passphrase) : undefined,
      );
    case "solana":
      return await readFromNode(node, "getGenesisHash", [], quoteChain);
  }
}

/** Returns the chain of a network in the same words; undefined if the service does not describe it. */
export function networkChainIdentity({ chain_id, passphrase }: Network, kind: NetworkKind): string | undefined {
  if (kind === "stellar") return quoteChain(passphrase as JsonValue);
  const id = kind === "evm" ? wireAmount(chain_id as JsonValue) : undefined;
  return id === undefined ? undefined : `chain ${id}`;
}

function quoteChain(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= LONGEST ? `'${value}'` : undefined;
}

/** Returns a node that checks its chain ID before the first request. @param chainId of the network */
export function nodeWithChainIdentity(node: ChainNode, chainId: bigint): ChainNode {
  let refused: Promise<NodeFault | undefined> | undefined;
  return nodeWithAsk(node, async (method, params) => {
    refused ??= readIdentityRefusal(node, chainId);
    const fault = await refused;
    if (!fault) return await node.ask(method, params);
    // Only a wrong chain is final: any other fault may be over at the next request.
    if (fault.kind !== "wrong_chain") refused = undefined;
    return { fault };
  });
}

/** Returns why a node is not believed: its chain ID can't be read, or is not the network's. One call. */
export async function readIdentityRefusal(node: ChainNode, chainId: bigint): Promise<NodeFault | undefined> {
  const found = await readFromNode(node, "eth_chainId", [], parseQuantity);
  if ("fault" in found) return found.fault;
  if (found.value === chainId) return undefined;
  return { kind: "wrong_chain", words: `${node.name} is on chain ${found.value}, the network is chain ${chainId}` };
}
