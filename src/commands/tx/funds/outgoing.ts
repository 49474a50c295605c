import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";

/** What a transaction takes from the relayer's own balance, its fee aside, or why that can't be read from the body. */
export type Outgoing = { amount: bigint; path: string } | { unknown: string };

const IN_TRANSACTION = "the amounts are inside the built transaction";

/** Tokens are not counted: the balance is in the network's own coin. */
export function outgoingOf(kind: NetworkKind, body: JsonObject, relayer: Relayer): Outgoing {
  if (kind === "evm") return { amount: wireAmount(body.value) ?? 0n, path: "value" };
  const { operations } = body;
  if (kind === "solana")
    return { unknown: body.transaction === undefined ? "the amounts are inside instructions" : IN_TRANSACTION };
  if (!Array.isArray(operations)) return { unknown: IN_TRANSACTION };
  const source = body.source_account ?? relayer.address;
  if (source !== relayer.address) return { unknown: "another account pays" };
  return { amount: operations.reduce((sum: bigint, each) => sum + nativePayment(each), 0n), path: "operations" };
}

function nativePayment(operation: JsonValue): bigint {
  const { type, amount, asset } = isJsonObject(operation) ? operation : {};
  const isNative = type === "payment" && isJsonObject(asset) && asset.type === "native";
  return isNative ? (wireAmount(amount) ?? 0n) : 0n;
}
