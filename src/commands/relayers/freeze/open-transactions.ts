import type { ApiResult } from "../../../client/api-result.ts";
import type { Completed } from "../../../client/bulk/run-all.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type NetworkKind, networkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isNoop, statusOf } from "../../../contract/transaction/transaction-state.ts";
import { usualEnd } from "../../../contract/transaction/usual-end.ts";
import type { Obstacle } from "./obstacle.ts";
import type { Frozen } from "./perform.ts";

/** Why a transaction can still be mined: its obstacle, a failed cancellation, or that it arrived before the pause. */
export type OpenBecause = Obstacle | "failed" | "arrived";

/** A transaction that can still be mined. */
export interface OpenTransaction extends JsonObject {
  id: string;
  status: string;
  nonce: JsonValue;
  /** As before the cancellation; null if only the record of the cancellation is known. */
  to: JsonValue;
  value: JsonValue;
  hash: JsonValue;
  because: OpenBecause;
  /** When the service gives it up, if it was sent without `valid_until`: ISO 8601 in UTC, or null if that is over. */
  until: string | null;
}

/** Returns the transactions of a relayer that can still be mined after its freeze, oldest first. */
export function openTransactions({ target, cancellations, left, at }: Frozen): OpenTransaction[] {
  const { cancels, others } = target;
  const kind = networkKind(target.before);
  const ended = new Map(cancellations.map((each) => [each.id, each]));
  const obstacles = new Map(others.map(({ transaction, obstacle }) => [transaction.id, obstacle]));
  const before = [...cancels, ...others.map(({ transaction }) => transaction)];
  const originals = new Map(before.map((each) => [each.id, each]));
  const known = before.filter(({ id }) => statusOf(ended.get(id)?.value?.data ?? {}) !== "canceled");
  return (left ?? known).map((now) => {
    const because = reasonOf(ended.get(now.id), obstacles.get(now.id));
    return openTransaction(now, { original: originals.get(now.id) ?? now, kind, because, at });
  });
}

function reasonOf(
  cancellation: Completed<ApiResult<Transaction>> | undefined,
  obstacle: Obstacle | undefined,
): OpenBecause {
  if (cancellation?.value) return "requested";
  return obstacle ?? (cancellation ? "failed" : "arrived");
}

/** @param original the record before the cancellation: a later one shows the no-op */
function openTransaction(
  now: Transaction,
  { original, kind, because, at }: { original: Transaction; kind: NetworkKind; because: OpenBecause; at: number },
): OpenTransaction {
  const { to = null, value = null, hash = null } = original;
  const isHidden = because === "requested" && isNoop(original);
  const end = usualEnd(now, kind);
  return {
    id: now.id,
    status: statusOf(now),
    nonce: now.nonce ?? original.nonce ?? null,
    ...(isHidden ? { to: null, value: null } : { to, value }),
    hash,
    because,
    until: end === undefined || end <= at ? null : new Date(end).toISOString(),
  };
}
