import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { AskNode } from "./call-node.ts";
import type { ChainRecord } from "./chain-record.ts";

/** Solana JSON-RPC: `getSignatureStatuses`. A signature that is only processed may still be dropped. */
export async function solanaRecord(request: AskNode, signature: string): Promise<ChainRecord> {
  const answer = await request("getSignatureStatuses", [[signature], { searchTransactionHistory: true }]);
  const found = isJsonObject(answer) && Array.isArray(answer.value) ? answer.value[0] : undefined;
  if (!isJsonObject(found)) return { state: "unknown", fields: {} };
  const failed = (found.err ?? null) !== null;
  const state = found.confirmationStatus === "processed" ? "waiting" : "mined";
  return { state, failed, place: `slot ${wireAmount(found.slot) ?? "unknown"}`, fields: {} };
}
