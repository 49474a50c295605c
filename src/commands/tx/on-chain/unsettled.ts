import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import { outcomeOf } from "../record/outcome.ts";
import type { ChainRecord } from "./chain-record.ts";

/**
 * The error if both record and chain leave open what was mined: none of the hashes was, and a version with an unknown
 * hash may have been (facts 13.1).
 */
export function unsettled(transaction: Transaction, found: readonly ChainRecord[]): RelayctlError | undefined {
  if (!outcomeOf(transaction)?.askChain || found.some(({ state }) => state === "mined")) return undefined;
  return new RelayctlError("unmet", "the chain does not settle what became of it: no hash that is known was mined", {
    because: ["an earlier version may have been: look for its hash in the receipt of the replacement, or by its nonce"],
  });
}
