import type { Client } from "../../client/client.ts";
import { wireAmount } from "../../contract/amount.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, statusOf } from "../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../errors.ts";
import { readBalance, readNonce } from "../evm/account.ts";
import { readBlock } from "../evm/block.ts";
import type { Speed } from "../evm/fee-history.ts";
import { addressOf } from "../evm/quantity.ts";
import { latestTime } from "../latest-time.ts";
import { replacesUnraised } from "../network.ts";
import type { NodeFault } from "../node/node.ts";
import type { Chain } from "../open-chain.ts";
import { readMarket } from "../replacement/read-market.ts";
import type { QueueChain, QueueEvidence } from "./diagnosis.ts";
import { readPassedOver } from "./passed-over.ts";
import { type Known, readHead } from "./read-head.ts";
import { readUsed } from "./read-used.ts";
import { nonceOf } from "./slots.ts";

/** The relayer whose queue is read. */
export interface QueueSource {
  client: { relayers: Pick<Client["relayers"], "status">; tx: Pick<Client["tx"], "getByNonce"> };
  relayerId: string;
  chain: Chain;
  listRecords(isWanted: (record: Transaction) => boolean): Promise<readonly Transaction[]>;
  speed?: Speed | undefined;
  isDemo?: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** The evidence, and why parts of it are missing, in one line each. */
export interface QueueReading {
  evidence: QueueEvidence;
  /** Why the node could not be asked. */
  fault: NodeFault | undefined;
  missing: readonly string[];
}

/**
 * Reads all that is known about the transactions of an EVM relayer that the chain has not mined. Asks the node at most
 * sixteen times.
 */
export async function readQueue(source: QueueSource): Promise<QueueReading> {
  const { chain, relayerId, now, speed } = source;
  const { relayer, network, cap, node } = chain;
  const missing: string[] = [];
  const known: Known = (reading) => {
    if ("value" in reading) return reading.value;
    if (!missing.includes(reading.fault.words)) missing.push(reading.fault.words);
    return undefined;
  };
  const address = addressOf(relayer?.address);
  // Read first, so that no record is left out whose nonce is used while the list is read.
  const first = address === undefined ? NO_ADDRESS : await readNonce(node, address, "latest");
  const from = "value" in first ? first.value : undefined;
  const records = await source.listRecords((record) => isWanted(record, from));
  const facts: Omit<QueueEvidence, "records" | "chain" | "now"> = {
    relayer: {
      id: relayerId,
      address,
      isPaused: relayer?.paused === true,
      isDisabled: relayer?.system_disabled === true,
    },
    cap,
    isUnraised: replacesUnraised(network),
    isUndescribed: network.chainId === undefined,
    isDemo: source.isDemo,
    speed,
  };
  if ("fault" in first || address === undefined) {
    const evidence = { ...facts, records, chain: undefined, now: latestTime(now, records) };
    return { evidence, fault: "fault" in first ? first.fault : undefined, missing };
  }
  const account = known(await readNonce(node, address, "latest")) ?? first.value;
  const block = known(await readBlock(node, "latest", latestTime(now, records)));
  const pooled = known(await readNonce(node, address, "pending"));
  const balance = known(await readBalance(node, address));
  const { history, ...prices } = known(await readMarket(node, network, relayer)) ?? {};
  const seen: QueueChain = {
    ...{ nonce: account, pooled, balance },
    ...prices,
    ...(block?.baseFee !== undefined && { baseFee: block.baseFee }),
  };
  const counter = await readCounter(source);
  const time = Math.max(latestTime(now, records), block?.time ?? 0);
  const headed = await readHead({ client: source.client, relayerId, node, address, records, known }, seen);
  const usedBy = await readUsed(node, headed.records, headed.chain);
  const passedOver = await readPassedOver(node, { ...headed, now: time }, history);
  const evidence = { ...facts, ...headed, chain: { ...headed.chain, usedBy, passedOver }, counter, now: time };
  return { evidence, fault: undefined, missing };
}

const NO_ADDRESS = {
  fault: { kind: "failed", words: "the service does not show an EVM address of the relayer" },
} as const;

/** Returns whether a record may have a nonce that the chain has not used. */
function isWanted(record: Transaction, from: bigint | undefined): boolean {
  if (!isFinal(statusOf(record))) return true;
  const nonce = nonceOf(record);
  return from !== undefined && nonce !== undefined && nonce >= from;
}

/** Reads the nonce that the relayer assigns next (facts 15.7); undefined if the service does not show it. */
async function readCounter({ client, relayerId }: QueueSource): Promise<bigint | undefined> {
  try {
    return wireAmount((await client.relayers.status(relayerId)).data.nonce);
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return undefined;
  }
}
