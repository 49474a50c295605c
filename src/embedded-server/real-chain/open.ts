import type { JsonRpcNode } from "../../contract/json-rpc.ts";
import { RelayctlError } from "../../errors.ts";
import type { Dialect } from "../dialect.ts";
import { openzeppelinDialect } from "../openzeppelin/dialect.ts";
import type { ServerState } from "../state/state.ts";
import type { ServerRandom } from "../world.ts";
import type { ChainWorld, RealChain } from "./chain-world.ts";
import { realHandlers } from "./handlers.ts";
import { makeKey, openKey } from "./key.ts";
import { localState } from "./local-state.ts";
import { FailedCall, readBlockTime, readQuantity } from "./node.ts";
import { workOnChain } from "./worker.ts";

/** A real chain to serve a relayer on. */
export interface ChainToServe {
  node: JsonRpcNode;
  /** The node's whole URL. */
  url: string;
  /** Where the key is kept, as 32 bytes in hex with `0x` (default: it is made for this run). */
  keyFile?: { load(): Promise<`0x${string}` | undefined>; save(key: `0x${string}`): Promise<void> };
  /** The most that one transaction may send, in wei. */
  maxValue: bigint;
  /** Called with the relayer's address and the ID of the chain before the server listens. */
  opened(found: { address: string; chainId: number }): Promise<void>;
}

export interface OpenedChain {
  state: ServerState;
  dialect: Dialect;
  /** Does the work of the service's queues, until the signal. */
  work(world: Omit<ChainWorld, keyof RealChain | "broadcast">, signal: AbortSignal): Promise<void>;
}

/** Opens a relayer on a real chain, with its transactions in memory. @throws RelayctlError network if the node does not respond */
export async function openRealChain(chain: ChainToServe, random: ServerRandom): Promise<OpenedChain> {
  const { node, url, maxValue } = chain;
  const key = openKey(await readKey(chain));
  const [chainId, sent, blockTime] = await Promise.all([
    readQuantity(node, "eth_chainId"),
    readQuantity(node, "eth_getTransactionCount", key.address, "latest"),
    readBlockTime(node),
  ]).catch((error: unknown) => {
    if (!(error instanceof FailedCall)) throw error;
    throw new RelayctlError("network", `${node.name}: ${error.message}`, { cause: error });
  });
  const real: RealChain = { node, key, chainId: Number(chainId), firstNonce: Number(sent) };
  await chain.opened({ address: key.address, chainId: real.chainId });
  return {
    state: localState({ address: key.address, chainId: real.chainId, url, blockTime }),
    dialect: { ...openzeppelinDialect(random), handlers: realHandlers(real, maxValue) },
    work: (world, signal) => workOnChain({ ...world, ...real, broadcast: new Map() }, signal),
  };
}

async function readKey({ keyFile }: ChainToServe): Promise<`0x${string}`> {
  const kept = await keyFile?.load();
  if (kept) return kept;
  const made = makeKey();
  await keyFile?.save(made);
  return made;
}
