import type { JsonObject } from "../../contract/json.ts";
import type { SolanaReplacement } from "../../contract/transaction/replacement.ts";
import { transactionHash } from "./hash.ts";

export function solanaChanges(body: SolanaReplacement, number: number): JsonObject {
  return { hash: transactionHash("solana", number), transaction: body.transaction };
}
