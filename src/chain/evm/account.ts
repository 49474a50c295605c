import type { JsonValue } from "../../contract/json.ts";
import { type ChainNode, type Reading, read } from "../node/node.ts";
import { bytesOf, quantity, tagText } from "./quantity.ts";

/** The state of an account: after the newest block, with the node's pool included, or after a block. */
export type StateTag = bigint | "latest" | "pending";

export async function readBalance(node: ChainNode, address: string, at: StateTag = "latest"): Promise<Reading<bigint>> {
  return await read(node, "eth_getBalance", [address, tagText(at)], quantity);
}

export async function readCode(node: ChainNode, address: string): Promise<Reading<string>> {
  return await read(node, "eth_getCode", [address, "latest"], bytesOf);
}

export async function readNonce(node: ChainNode, address: string, at: StateTag): Promise<Reading<bigint>> {
  return await read(node, "eth_getTransactionCount", [address, tagText(at)], (value: JsonValue) => quantity(value));
}
