import type { ChainNode } from "../../../chain/node/node.ts";
import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { foreseeCall } from "../../../chain/simulation/foresee-call.ts";
import { SIMULATION_TIMEOUT } from "../../../timing.ts";
import { callWarnings, outcomeText, unknownText } from "../../../views/transaction/simulation-words.ts";
import type { Call } from "../../command.ts";
import { abiSource } from "../call/abi-source.ts";
import type { CallFlags } from "../call/call-flags.ts";
import { isUnasked, type SimulationFlags } from "./flags.ts";
import { callOf, refuseRevert, type Sender, withinTime } from "./simulated-call.ts";

interface ToSimulate extends Sender {
  relayerId: string;
  /** Of the transaction that is replaced; absent for a new one. */
  nonce?: bigint | undefined;
  /** The URL of a node to ask instead of the relayer's. */
  nodeUrl: string | undefined;
}

/**
 * Simulates a transaction before it is sent, and returns the row that shows the outcome in the question. A node that
 * cannot simulate it, or does not respond in time, is noted in one line and blocks nothing.
 * @throws RelayctlError rejected if the call would revert, unless that is accepted; nothing was sent
 */
export async function simulateCall(
  call: Call<SimulationFlags & CallFlags>,
  toSimulate: ToSimulate,
): Promise<string[][]> {
  const simulated = callOf(toSimulate);
  const isQuiet = isUnasked(call, toSimulate.body.data);
  const say: Call["say"] = isQuiet ? async () => {} : call.say;
  if (typeof simulated === "string") {
    await say(`note: not simulated: ${simulated}`);
    return [];
  }
  const node = withinTime(call, await readNode(call, toSimulate));
  const foreseen = await foreseeCall(node, simulated, { nonce: toSimulate.nonce, abis: abiSource(call) });
  for (const warning of callWarnings(foreseen, simulated)) await say(`warning: ${warning}`);
  const { outcome } = foreseen.simulation;
  if (outcome === "unknown") await say(`note: ${unknownText(foreseen)}`);
  if (outcome === "reverted") await refuseRevert(call, foreseen, simulated);
  const text = outcome === "reverted" || !isQuiet ? outcomeText(foreseen, simulated) : undefined;
  return text === undefined ? [] : [["  simulated", text]];
}

async function readNode(call: Call, { relayerId, nodeUrl: url }: ToSimulate): Promise<ChainNode> {
  const session = await call.session();
  const client = session.briefly(SIMULATION_TIMEOUT);
  if (!session.hasOwnNodes && url === undefined) return relayerNode(client.relayers, relayerId);
  const ownNode = (network: string | undefined) => session.ownNode(network, { url, timeout: SIMULATION_TIMEOUT });
  return (await openChain({ client, relayerId, ownNode })).node;
}
