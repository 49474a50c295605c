import type { HashFacts } from "../../chain/verdict/evidence.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";

export interface ChainRecord {
  state: "unknown" | "waiting" | "mined";
  /** Whether the execution of a mined one failed; absent if that is not known. */
  failed?: boolean;
  /** Where it was mined: `block 7`. */
  place?: string;
  /** The node's data about the transaction, with the field names of the service's record. */
  fields: JsonObject;
}

/** Returns what a node of Ethereum holds under a hash, with the field names of the service's record. */
export function evmRecord(found: HashFacts | null): ChainRecord {
  if (!found) return { state: "unknown", fields: {} };
  const { transaction, receipt } = found;
  const { from, to, value, nonce, data, gasLimit, gasPrice, maxFee, maxTip } = transaction;
  const fields = {
    from,
    to,
    value: text(value),
    nonce,
    data,
    gas_limit: gasLimit ?? null,
    gas_price: text(gasPrice),
    max_fee_per_gas: text(maxFee),
    max_priority_fee_per_gas: text(maxTip),
  };
  const block = receipt?.block ?? transaction.block;
  if (block === undefined) return { state: "waiting", fields };
  const { reverted } = receipt ?? {};
  return { state: "mined", ...(reverted !== undefined && { failed: reverted }), place: `block ${block}`, fields };
}

function text(amount: bigint | undefined): JsonValue {
  return amount === undefined ? null : String(amount);
}
