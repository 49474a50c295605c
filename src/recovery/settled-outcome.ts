import { quantityText } from "../chain/evm/quantity.ts";
import type { ChainTransaction } from "../chain/evm/transaction.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import type { WriteOutcome } from "../journal/entry.ts";
import { outcomeOf } from "../session/journaling/entries.ts";
import type { Finding } from "./finding.ts";

/** Returns the outcome of a request whose transaction was found, or cannot exist any more, as the journal keeps it. */
export function settledOutcome(finding: Finding, of: Pick<WriteOutcome, "id" | "run" | "time">): WriteOutcome {
  if (finding.state !== "sent")
    return { type: "outcome", ...of, applied: finding.state === "unsent" ? "no" : "unknown", settledLater: true };
  const data = "record" in finding ? finding.record.data : buildShown(finding.mined);
  return { ...outcomeOf({ operation: operations["tx.send"] }, { data }, of), settledLater: true };
}

/** Returns what the chain shows of a transaction, with the names of a record; it has no ID. */
export function buildShown({ hash, from, to, value, nonce, gasLimit }: ChainTransaction): JsonObject {
  return { hash, from, to, value: quantityText(value), nonce, gas_limit: gasLimit ?? null };
}
