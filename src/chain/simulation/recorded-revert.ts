import { type Transaction, txReason } from "../../contract/transaction/transaction.ts";
import { hexBytes } from "../evm/quantity.ts";
import { type AbiSource, revertReason, revertReasonWithAbi } from "./revert-reason.ts";
import type { Simulation } from "./simulate.ts";

/** The service records the data of a revert if the relayer's policy `include_revert_data` is set (facts 5.1). */
const REVERT_DATA = /\(revert_data: (0x[0-9a-f]*)\)/i;

/** Returns what happened, not a replay; undefined if the record does not show it whole. */
export async function recordedRevert(record: Transaction, abis?: AbiSource): Promise<Simulation | undefined> {
  const data = hexBytes(REVERT_DATA.exec(txReason(record))?.[1]);
  if (data === undefined) return undefined;
  return { outcome: "reverted", returnData: data, reason: await revertReasonWithAbi(revertReason(data), abis) };
}
