import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";

/** What a transaction takes from the relayer's balance, without its fee, or why the body does not show it. */
export type Outgoing = { amount: bigint; path: string } | { unknown: string };

const IN_TRANSACTION = "the built transaction contains the amounts";

/** Returns that amount. Tokens do not count: the balance is in the network's own coin. */
export function outgoingOf(kind: NetworkKind, body: JsonObject, address: JsonValue | undefined): Outgoing {
  if (kind === "evm") return { amount: wireAmount(body.value) ?? 0n, path: "value" };
  const { operations } = body;
  if (kind === "solana")
    return { unknown: body.transaction === undefined ? "the instructions contain the amounts" : IN_TRANSACTION };
  if (!Array.isArray(operations)) return { unknown: IN_TRANSACTION };
  const source = body.source_account ?? address;
  if (source !== address) return { unknown: "another account pays" };
  return { amount: operations.reduce((sum: bigint, each) => sum + nativePayment(each), 0n), path: "operations" };
}

function nativePayment(operation: JsonValue): bigint {
  const { type, amount, asset } = isJsonObject(operation) ? operation : {};
  const isNative = type === "payment" && isJsonObject(asset) && asset.type === "native";
  return isNative ? (wireAmount(amount) ?? 0n) : 0n;
}
