import type { RelayersClient } from "../../client/resources.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { ifReadable } from "../../errors.ts";
import type { ChainNode } from "./node.ts";
import { relayerNode } from "./relayer-node.ts";

/** The relayers that are read to find siblings, and the most that are asked. */
const READ = 100;
const MOST = 3;

/** Returns the nodes of active relayers of the same network without their own RPC URLs (facts 15.7). */
export async function siblingNodes(
  relayers: Pick<RelayersClient, "rpc" | "list">,
  missing: Missed,
): Promise<ChainNode[]> {
  const found = missing.network === undefined ? [] : await ifReadable(readSiblings(relayers, missing));
  return (found ?? []).map((sibling) => relayerNode(relayers, sibling));
}

export async function readSiblings(relayers: Pick<RelayersClient, "list">, missing: Missed): Promise<string[]> {
  const found: JsonObject[] = [];
  for await (const { items } of relayers.list({ page: 1, perPage: READ })) found.push(...items);
  return siblingsIn(found, missing);
}

/** A relayer, or a network, whose own node is not asked. */
interface Missed {
  id?: string;
  network: string | undefined;
  kind?: NetworkKind;
}

/** Returns the IDs of at most 3 relayers that can be asked in place of another relayer, or of a network's. */
export function siblingsIn(found: readonly JsonObject[], { id, network, kind = "evm" }: Missed): string[] {
  const isSibling = (each: JsonObject) =>
    each.id !== id && each.network === network && each.network_type === kind && isAskable(each);
  return network === undefined
    ? []
    : found
        .filter(isSibling)
        .slice(0, MOST)
        .map((each) => String(each.id));
}

function isAskable({ paused, system_disabled: disabled, custom_rpc_urls: urls }: JsonObject): boolean {
  const hasOwn = Array.isArray(urls) ? urls.length > 0 : urls !== null && urls !== undefined;
  return paused !== true && disabled !== true && !hasOwn;
}

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
