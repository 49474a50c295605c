import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { isBeingCanceled, isPending, type Transaction } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";

export type BumpRequest =
  | { change: "replace"; body: JsonObject }
  /** Cancels again a transaction that is being canceled: the service prices it again (facts 5.5, 15.12). */
  | { change: "cancel"; body?: undefined };

/** Why a transaction can't be sent again as it is, at any price. */
export type Unbumpable =
  /** The service doesn't replace transactions of this kind (facts 5.4). */
  | "solana"
  | "stellar"
  | "over"
  /** A call without a gas limit would be signed with 21000 gas, and fail (facts 5.4). */
  | "no_gas_limit"
  /** Its receiver is not an address, so it can never be signed (facts 16.3). */
  | "unsignable"
  | "no_value";

/** The service accepts hex without its prefix. */
const ADDRESS = /^(?:0x)?[0-9a-f]{40}$/i;

export function bumpRequest(record: Transaction, kind: NetworkKind, speed: Speed): BumpRequest | Unbumpable {
  if (kind !== "evm") return kind;
  if (!isPending(record)) return "over";
  if (isBeingCanceled(record)) return { change: "cancel" };
  const { to, data, gas_limit: gasLimit } = record;
  if (!isAbsent(data) && data !== "0x" && isAbsent(gasLimit)) return "no_gas_limit";
  if (!isAbsent(to) && !ADDRESS.test(String(to))) return "unsignable";
  const value = wireAmount(record.value);
  if (value === undefined) return "no_value";
  const copied = { to, value, data, gas_limit: wireAmount(gasLimit) };
  const given = Object.entries(copied).filter(([, value]) => !isAbsent(value));
  return { change: "replace", body: { ...(Object.fromEntries(given) as JsonObject), speed } };
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || value === "";
}
