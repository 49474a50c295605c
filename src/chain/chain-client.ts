import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import { collectItems } from "../client/pagination/collect.ts";
import { networkKind } from "../contract/network-kind.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { ifFound, RelayctlError, usageError } from "../errors.ts";
import type { Speed } from "./evm/fee-history.ts";
import { hexAddress, hexBytes } from "./evm/quantity.ts";
import { type Examined, examineTx } from "./examine.ts";
import type { ChainNode } from "./node/node.ts";
import { type Chain, openChain } from "./open-chain.ts";
import { diagnoseEvidence } from "./queue/diagnose.ts";
import type { Diagnosis } from "./queue/diagnosis.ts";
import { NO_EVM_ADDRESS, readQueue } from "./queue/read-queue.ts";
import { type SimulatedCall, type Simulation, type SimulationBlock, simulateCall } from "./simulation/simulate.ts";
import { verdictOfEvidence } from "./verdict/verdict-of.ts";

export interface ChainOptions {
  /** The URL of a node to ask instead of the relayer's. */
  nodeUrl?: string;
}

export interface VerdictOptions extends ChainOptions {
  /** Earlier records of the transaction, oldest first: they show its earlier versions and hashes. */
  earlier?: readonly Transaction[];
  hashes?: readonly string[];
  /** Blocks after its own until it counts as confirmed (default: the network's). */
  confirmations?: bigint;
}

export interface CallToSimulate extends Partial<Pick<SimulatedCall, "value" | "data" | "gas">> {
  to: string | null;
}

export interface SimulationOptions extends ChainOptions {
  /** The block after which the call is made (default: the newest one). */
  block?: SimulationBlock;
}

export interface DiagnosisOptions extends ChainOptions {
  /** The speed of a bump (default: the fastest that works). */
  speed?: Speed;
}

export interface ChainClient {
  /**
   * Reads a transaction and the chain, and returns what became of the transaction, even if its record is wrong or was
   * deleted. For Solana and Stellar, only the records count.
   * @throws RelayctlError not_found if there is neither a record nor an earlier one
   */
  verdict(relayerId: string, transactionId: string, options?: VerdictOptions): Promise<Examined>;
  /**
   * Asks a node what a call from an EVM relayer would do, and why it would revert, without sending it. Sends at most
   * four requests. Any failure of the node becomes the outcome `unknown` with a fault.
   * @throws RelayctlError usage for an address or data that is not hex
   */
  simulate(relayerId: string, call: CallToSimulate, options?: SimulationOptions): Promise<Simulation>;
  /**
   * Reads the pending records of an EVM relayer and its chain, and returns what holds up its transactions, and what
   * helps. Only reads.
   * @throws RelayctlError usage if it is not an EVM relayer
   */
  diagnose(relayerId: string, options?: DiagnosisOptions): Promise<DiagnosedQueue>;
  /**
   * Opens the chain of an EVM relayer, for any method that only reads. Sends no request to the node yet.
   * @throws RelayctlError usage if it is not an EVM relayer
   */
  open(relayerId: string, options?: ChainOptions): Promise<Chain>;
}

export function chainClient(
  client: Pick<Client, "relayers" | "networks" | "tx">,
  clock: Pick<Clock, "now">,
  nodeAt: (url: string) => ChainNode,
): ChainClient {
  const open = (relayerId: string, { nodeUrl }: ChainOptions = {}) => {
    const ownNode = async () => (nodeUrl === undefined ? undefined : nodeAt(nodeUrl));
    return openChain({ client, relayerId, ownNode });
  };
  return {
    open,
    async diagnose(relayerId, options = {}) {
      const chain = await open(relayerId, options);
      return await diagnoseQueue(client, { relayerId, chain, speed: options.speed, now: clock.now() });
    },
    async simulate(relayerId, call, options = {}) {
      const { to, data } = hexIn(call);
      const { node, relayer } = await open(relayerId, options);
      const from = hexAddress(relayer?.address);
      if (from === undefined) return { outcome: "unknown", ...NO_EVM_ADDRESS };
      const { value = 0n, gas } = call;
      return await simulateCall(node, { from, to, value, data, gas }, options.block ?? "latest");
    },
    async verdict(relayerId, transactionId, options = {}) {
      const { earlier = [], hashes = [], confirmations } = options;
      const reading = client.tx.get(relayerId, transactionId);
      const newest = (await (earlier.length > 0 ? ifFound(reading) : reading))?.data;
      const [first, ...more] = newest ? [...earlier, newest] : earlier;
      if (!first) throw new RelayctlError("internal", "a missing record was not reported");
      const records = [first, ...more] as const;
      const seen = { records, isGone: !newest };
      const chain = await open(relayerId, options);
      const kind = networkKind(chain.relayer);
      if (kind !== "evm") {
        const verdict = verdictOfEvidence({ ...seen, kind, confirmations: 0n, isUnraised: false });
        return { verdict, facts: undefined, fault: undefined, node: "" };
      }
      const depth = confirmations === undefined ? {} : ({ confirmations, isStrict: true } as const);
      return await examineTx(chain, client, { ...seen, ...depth, relayerId, hashes, now: clock.now() });
    },
  };
}

/** @throws RelayctlError usage */
function hexIn({ to, data = "0x" }: CallToSimulate): { to: string | null; data: string } {
  const [address, bytes] = [to === null ? null : hexAddress(to), hexBytes(data)];
  if (address === undefined) throw usageError([{ where: "to", rule: "is not an address" }]);
  if (bytes === undefined) throw usageError([{ where: "data", rule: "is not hex" }]);
  return { to: address, data: bytes };
}

/** A diagnosis, and why parts of its evidence are missing, in one line each. */
export interface DiagnosedQueue extends Diagnosis {
  missing: readonly string[];
}

/** Returns what holds up an EVM relayer's transactions. @throws RelayctlError usage for another network type */
async function diagnoseQueue(
  client: Pick<Client, "relayers" | "tx">,
  { relayerId, chain, speed, now }: { relayerId: string; chain: Chain; speed?: Speed | undefined; now: number },
): Promise<DiagnosedQueue> {
  const { network_type: kind } = chain.relayer ?? {};
  if (kind !== undefined && kind !== null && kind !== "evm")
    throw usageError([{ where: "relayerId", rule: `${relayerId} is not an EVM relayer` }]);
  const { evidence, fault, missing } = await readQueue({
    ...{ client, relayerId, chain, speed, now },
    listRecords: (isWanted) => collectItems<Transaction>(client.tx.list(relayerId), isWanted),
  });
  return { ...diagnoseEvidence(evidence), missing: [...(fault ? [fault.words] : []), ...missing] };
}
