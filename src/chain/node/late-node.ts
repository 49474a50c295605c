import { ageText, timeText } from "../../contract/age-text.ts";
import { networkId } from "../../contract/resources/network.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { readEvmBlock } from "../evm/read-evm.ts";
import { isLocalNetwork, type NetworkFacts } from "../network.ts";

import type { ChainNode } from "./node.ts";

/** How many blocks and milliseconds a node may lag. */
const LATE_BLOCKS = 10;
const LATE_TIME = 120_000;

/** The owner of a node's URLs, as the words of a command. */
export interface NodeSetting {
  noun: "relayers" | "networks";
  id: string;
}

/** Returns the greatest age of the newest block of a node that doesn't lag. */
export function mostBlockAge({ blockTime }: Pick<NetworkFacts, "blockTime">): number {
  return Math.max(LATE_TIME, LATE_BLOCKS * blockTime);
}

/** A lagging node shows what was mined until its newest block. A development node mines on demand, and never lags. */
export function computeNodeDelay(
  block: { time: number },
  network: Pick<NetworkFacts, "chainId" | "blockTime">,
  now: number,
): number | undefined {
  const age = now - block.time;
  return isLocalNetwork(network.chainId) || age <= mostBlockAge(network) ? undefined : age;
}

export function nodeDelayText(age: number, now: number): string {
  return `the node is behind, or this clock ahead: its newest block is from ${timeText(now - age)}, ${ageText(age)} ago`;
}

/** Returns why something that the node doesn't show may be mined nevertheless; undefined if the node doesn't lag. */
export function explainLateNode(
  block: { time: number },
  network: Pick<NetworkFacts, "chainId" | "blockTime">,
  now: number,
): string | undefined {
  const delay = computeNodeDelay(block, network, now);
  return delay === undefined ? undefined : nodeDelayText(delay, now);
}

/** A development node without a block since then may have a slower clock: its next block shows its time. */
export async function readLagSince(
  node: ChainNode,
  newest: { time: number },
  { network, since, now }: { network: Pick<NetworkFacts, "chainId" | "blockTime">; since: number; now: number },
): Promise<string | undefined> {
  const delay = explainLateNode(newest, network, now);
  if (delay !== undefined || newest.time > since || !isLocalNetwork(network.chainId)) return delay;
  const next = await readEvmBlock(node, "pending", now);
  return "value" in next && next.value.time > since ? undefined : nodeDelayText(now - newest.time, now);
}

/** Reads the newest block, and returns why something that the node doesn't show may be mined nevertheless. */
export async function readLateNodeReason(
  node: ChainNode,
  network: Pick<NetworkFacts, "chainId" | "blockTime">,
  now: number,
): Promise<string | undefined> {
  const newest = await readEvmBlock(node, "latest", now);
  if ("value" in newest) return explainLateNode(newest.value, network, now);
  return `the age of the newest block of the node is not known: ${newest.fault.words}`;
}

/** Returns where to set another node (facts 16.6); undefined for a disabled relayer, which can't be changed. */
export function findLateNodeSetting(relayer: Relayer): NodeSetting | undefined {
  const { custom_rpc_urls: own, network, network_type: kind, system_disabled } = relayer;
  if (!Array.isArray(own) || own.length === 0) return { noun: "networks", id: networkId(kind, network) };
  return system_disabled === true ? undefined : { noun: "relayers", id: relayer.id };
}
