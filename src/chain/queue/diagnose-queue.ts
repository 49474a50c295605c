import type { Client } from "../../client/client.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { usageError } from "../../errors.ts";
import type { Speed } from "../evm/fee-history.ts";
import type { Chain } from "../open-chain.ts";
import { diagnose } from "./diagnose.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { readQueue } from "./read-queue.ts";

/** A diagnosis, and why parts of its evidence are missing, in one line each. */
export interface DiagnosedQueue extends Diagnosis {
  missing: readonly string[];
}

/** Returns what holds up an EVM relayer's transactions. @throws RelayctlError usage for another network type */
export async function diagnoseQueue(
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
  return { ...diagnose(evidence), missing: [...(fault ? [fault.words] : []), ...missing] };
}
