import type { JsonObject } from "../../contract/json.ts";
import type { StellarReplacement } from "../../contract/transaction/replacement.ts";
import { transactionHash } from "./hash.ts";
import { raisedPrice } from "./price.ts";

/** Stroops (interface 1.5). */
const DEFAULT_MAX_FEE = 1_000_000n;

/**
 * Applies a replacement to a Stellar transaction. Only the account of the body shows in it; the fee is raised by a
 * tenth, up to `max_fee`.
 */
export function stellarChanges(old: JsonObject, body: StellarReplacement, number: number): JsonObject {
  const raised = raisedPrice(old.fee) ?? 0n;
  const most = BigInt(body.max_fee ?? DEFAULT_MAX_FEE);
  return {
    hash: transactionHash("stellar", number),
    source_account: body.source_account ?? old.source_account ?? null,
    fee: raised < most ? raised : most,
  };
}
