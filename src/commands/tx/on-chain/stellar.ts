import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { AskNode } from "./call-node.ts";
import type { ChainRecord } from "./chain-record.ts";

/** Stellar RPC: `getTransaction`, whose `status` is SUCCESS, FAILED or NOT_FOUND. */
export async function stellarRecord(request: AskNode, hash: string): Promise<ChainRecord> {
  const found = await request("getTransaction", { hash });
  if (!isJsonObject(found) || !["SUCCESS", "FAILED"].includes(String(found.status))) {
    return { state: "unknown", fields: {} };
  }
  const place = `ledger ${wireAmount(found.ledger) ?? "unknown"}`;
  return { state: "mined", failed: found.status === "FAILED", place, fields: {} };
}
