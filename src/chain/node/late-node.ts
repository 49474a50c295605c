import { ageText, timeText } from "../../contract/age-text.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { readBlock } from "../evm/node-reads.ts";
import { isLocalChain, type NetworkFacts } from "../network.ts";

import type { ChainNode } from "./node.ts";

/** How many blocks and milliseconds a node may lag. */
const LATE_BLOCKS = 10;
const LATE_TIME = 120_000;

/** The owner of a node's URLs, as the words of a command. */
export interface NodeSetting {
  noun: "relayers" | "networks";
  id: string;
}

/** A lagging node shows what was mined until its newest block. A development node mines on demand, and never lags. */
export function computeDelay(
  block: { time: number },
  { chainId, blockTime }: Pick<NetworkFacts, "chainId" | "blockTime">,
  now: number,
): number | undefined {
  const age = now - block.time;
  return isLocalChain(chainId) || age <= Math.max(LATE_TIME, LATE_BLOCKS * blockTime) ? undefined : age;
}

export function delayText(age: number, now: number): string {
  return `the node is behind, or this clock ahead: its newest block is from ${timeText(now - age)}, ${ageText(age)} ago`;
}

/** Returns why something that the node doesn't show may be mined nevertheless; undefined if the node doesn't lag. */
export function explainDelay(
  block: { time: number },
  network: Pick<NetworkFacts, "chainId" | "blockTime">,
  now: number,
): string | undefined {
  const delay = computeDelay(block, network, now);
  return delay === undefined ? undefined : delayText(delay, now);
}

/** A development node without a block since then may have a slower clock: its next block shows its time. */
export async function readDelaySince(
  node: ChainNode,
  newest: { time: number },
  { network, since, now }: { network: Pick<NetworkFacts, "chainId" | "blockTime">; since: number; now: number },
): Promise<string | undefined> {
  const delay = explainDelay(newest, network, now);
  if (delay !== undefined || newest.time > since || !isLocalChain(network.chainId)) return delay;
  const next = await readBlock(node, "pending", now);
  return "value" in next && next.value.time > since ? undefined : delayText(now - newest.time, now);
}

/** Reads the newest block, and returns why something that the node doesn't show may be mined nevertheless. */
export async function readDelayReason(
  node: ChainNode,
  network: Pick<NetworkFacts, "chainId" | "blockTime">,
  now: number,
): Promise<string | undefined> {
  const newest = await readBlock(node, "latest", now);
  if ("value" in newest) return explainDelay(newest.value, network, now);
  return `the age of the newest block of the node is not known: ${newest.fault.words}`;
}

/** Returns where to set another node (facts 16.6); undefined for a disabled relayer, which can't be changed. */
export function findNodeSetting(relayer: Relayer): NodeSetting | undefined {
  const { custom_rpc_urls: own, network, network_type: kind, system_disabled } = relayer;
  if (!Array.isArray(own) || own.length === 0) return { noun: "networks", id: `${kind}:${network}` };
  return system_disabled === true ? undefined : { noun: "relayers", id: relayer.id };
}
