import type { ChainNode, NodeFaultKind, Reading } from "../../../chain/node/node.ts";
import { type JsonValue, writeJson } from "../../../contract/json.ts";

/** Readings that are the same for every relayer of a node, by method and parameters. */
export type SharedReadings = Map<string, Promise<Reading<JsonValue>>>;

/** What belongs to a network, and not to one of its accounts. */
const OF_NETWORK = ["eth_chainId", "eth_getBlockByNumber", "eth_feeHistory", "eth_gasPrice"];
/** Faults of one request, which say nothing about the next one. */
const OF_REQUEST: readonly NodeFaultKind[] = ["limited", "refused", "exhausted"];
/** Faults after which a node is not asked again: it would only take time. */
const SILENT: readonly NodeFaultKind[] = ["unreachable", "wrong_chain"];

/**
 * Returns a node that asks nothing twice: what belongs to the network is shared between its relayers, and the balance is
 * the one that the service has shown. Once it is silent, it is not asked again.
 */
export function frugalNode(
  node: ChainNode,
  { shared, balance }: { shared: SharedReadings; balance: bigint | undefined },
): ChainNode {
  const own: SharedReadings = new Map();
  let silent: Reading<JsonValue> | undefined;

  async function once(method: string, params: Parameters<ChainNode["ask"]>[1]): Promise<Reading<JsonValue>> {
    const known = OF_NETWORK.includes(method) ? shared : own;
    const key = `${method} ${writeJson(params as JsonValue)}`;
    const asked = known.get(key) ?? node.ask(method, params);
    known.set(key, asked);
    const reading = await asked;
    if ("fault" in reading && OF_REQUEST.includes(reading.fault.kind)) known.delete(key);
    if ("fault" in reading && SILENT.includes(reading.fault.kind)) silent = reading;
    return reading;
  }

  return {
    get name() {
      return node.name;
    },
    async ask(method, params) {
      const isNewest = Array.isArray(params) && params[1] === "latest";
      if (method === "eth_getBalance" && isNewest && balance !== undefined)
        return { value: `0x${balance.toString(16)}` };
      return silent ?? (await once(method, params));
    },
  };
}
