import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { AskNode } from "./call-node.ts";

/** A node's data for a hash. */
export interface ChainRecord {
  state: "unknown" | "waiting" | "mined";
  /** Set if it was mined, but its execution failed. */
  failed?: boolean;
  /** Where it was mined: `block 7`. */
  place?: string;
  /** The node's data about the transaction, with the field names of the service's record. */
  fields: JsonObject;
}

/** Reads Ethereum's `eth_getTransactionByHash`, and for a mined transaction `eth_getTransactionReceipt`. */
export async function evmRecord(request: AskNode, hash: string): Promise<ChainRecord> {
  const found = await request("eth_getTransactionByHash", [hash]);
  if (!isJsonObject(found)) return { state: "unknown", fields: {} };
  const fields = fieldsOf(found);
  const block = wireAmount(found.blockNumber);
  if (block === undefined) return { state: "waiting", fields };
  const receipt = await request("eth_getTransactionReceipt", [hash]);
  const failed = isJsonObject(receipt) && wireAmount(receipt.status) === 0n;
  return { state: "mined", failed, place: `block ${block}`, fields };
}

function fieldsOf({
  input,
  data,
  gas,
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
  ...found
}: JsonObject): JsonObject {
  const { from = null, to = null, value = null, nonce = null } = found;
  return {
    from,
    to,
    value,
    nonce: exact(nonce),
    data: input ?? data ?? null,
    gas_limit: exact(gas ?? null),
    gas_price: gasPrice ?? null,
    max_fee_per_gas: maxFeePerGas ?? null,
    max_priority_fee_per_gas: maxPriorityFeePerGas ?? null,
  };
}

/** Returns a count in decimal like the record, not in hex. */
function exact(value: JsonValue): JsonValue {
  return wireAmount(value) ?? value;
}
