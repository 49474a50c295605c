import type { Completed } from "../client/bulk/run-all.ts";
import type { ApiResult } from "../client/request.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import { type NetworkKind, networkKind } from "../contract/network-kind.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { isNoopTx, type Transaction, txStatus } from "../contract/transaction/transaction.ts";
import { usualEnd } from "../contract/transaction/usual-time.ts";
import type { CancellationObstacle, FreezePlan } from "../relayer-state/freeze-plan.ts";
import { type Cell, type ResourceView, toColumn } from "../terminal/view.ts";
import { relayerView } from "./relayer.ts";

export interface Frozen<T extends FreezePlan & { id: string; before: Relayer | undefined }> {
  target: T;
  cancellations: readonly Completed<ApiResult<Transaction>>[];
  pause: Completed<ApiResult<Relayer>>;
  left?: readonly Transaction[] | undefined;
  /** When it ended, in milliseconds since 1970. */
  at: number;
}

type AnyFrozen = Frozen<FreezePlan & { id: string; before: Relayer | undefined }>;

/** `failed` and `unknown` have an error, and `not started` was interrupted. */
type PauseEnd = "paused" | "already paused" | "failed" | "unknown" | "not started";

export type FrozenRelayer = Relayer & {
  freeze: {
    state: PauseEnd;
    error: string | null;
    canceled: string[];
    cancellation_requested: string[];
    cancellation_failed: string[];
    can_still_be_mined: OpenTransaction[];
  };
};

export function frozenRelayer(frozen: AnyFrozen): FrozenRelayer {
  const { target, cancellations, pause } = frozen;
  const accepted = cancellations.flatMap(({ value }) => value?.data ?? []);
  const isDone = (transaction: Transaction) => txStatus(transaction) === "canceled";
  return {
    ...(pause.value?.data ?? target.before ?? { id: target.id }),
    freeze: {
      state: pauseEnd(frozen),
      error: pause.error?.message ?? target.unread?.message ?? null,
      canceled: accepted.filter(isDone).map(({ id }) => id),
      cancellation_requested: accepted.filter((each) => !isDone(each)).map(({ id }) => id),
      cancellation_failed: cancellations.flatMap(({ id, error }) => (error ? id : [])),
      can_still_be_mined: openTransactions(frozen),
    },
  } as FrozenRelayer;
}

function pauseEnd({ pause: { value, already, error } }: AnyFrozen): PauseEnd {
  if (value) return already ? "already paused" : "paused";
  if (!error) return "not started";
  return error.applied === "no" ? "failed" : "unknown";
}

const STATES: Readonly<Record<PauseEnd, Cell>> = {
  paused: { text: "paused", tone: "good" },
  "already paused": { text: "already paused", tone: "warn" },
  failed: { text: "not paused", tone: "bad" },
  unknown: { text: "unknown", tone: "bad" },
  "not started": { text: "not started", tone: "warn" },
};

const LISTS = ["canceled", "cancellation_requested", "cancellation_failed", "can_still_be_mined"] as const;
const HEADERS: Readonly<Record<(typeof LISTS)[number], string>> = {
  canceled: "canceled",
  cancellation_requested: "requested",
  cancellation_failed: "failed",
  can_still_be_mined: "can still be mined",
};

const FREEZE = ["freeze.state", "freeze.error", ...LISTS.map((list) => `freeze.${list}`)];

const { attention: _, ...ofRelayers } = relayerView;

export const frozenView: ResourceView<FrozenRelayer> = {
  ...ofRelayers,
  one: "frozen relayer",
  table: [
    toColumn("id", "id"),
    toColumn("network", "network"),
    { header: "state", cell: ({ freeze }) => STATES[freeze.state], reads: ["freeze"], worth: "always" },
    ...LISTS.map((list) => ({
      header: HEADERS[list],
      cell: ({ freeze }: FrozenRelayer) => ({ text: String(freeze[list].length) }),
      reads: ["freeze"],
      align: "right" as const,
    })),
  ],
  flat: ["id", ...FREEZE],
  fields: [...relayerView.fields, "freeze", ...FREEZE],
};

/** Why a transaction can still be mined: its obstacle, a failed cancellation, or that it arrived before the pause. */
export type OpenBecause = CancellationObstacle | "failed" | "arrived";

interface OpenTransaction extends JsonObject {
  id: string;
  status: string;
  nonce: JsonValue;
  /** As before the cancellation; null if only the cancellation's record is known. */
  to: JsonValue;
  value: JsonValue;
  hash: JsonValue;
  because: OpenBecause;
  /** When the service gives up a transaction without `valid_until`: ISO 8601 in UTC, or null if that is over. */
  until: string | null;
}

function openTransactions({ target, cancellations, left, at }: AnyFrozen): OpenTransaction[] {
  const { cancels, others } = target;
  const kind = networkKind(target.before);
  const ended = new Map(cancellations.map((each) => [each.id, each]));
  const obstacles = new Map(others.map(({ transaction, obstacle }) => [transaction.id, obstacle]));
  const before = [...cancels, ...others.map(({ transaction }) => transaction)];
  const originals = new Map(before.map((each) => [each.id, each]));
  const known = before.filter(({ id }) => txStatus(ended.get(id)?.value?.data ?? {}) !== "canceled");
  return (left ?? known).map((now) => {
    const because = freezeReason(ended.get(now.id), obstacles.get(now.id));
    return openTransaction(now, { original: originals.get(now.id) ?? now, kind, because, at });
  });
}

function freezeReason(
  cancellation: Completed<ApiResult<Transaction>> | undefined,
  obstacle: CancellationObstacle | undefined,
) {
  if (cancellation?.value) return "requested";
  return obstacle ?? (cancellation ? "failed" : "arrived");
}

function openTransaction(
  now: Transaction,
  { original, kind, because, at }: { original: Transaction; kind: NetworkKind; because: OpenBecause; at: number },
): OpenTransaction {
  const { to = null, value = null, hash = null } = original;
  const isHidden = because === "requested" && isNoopTx(original);
  const end = usualEnd(now, kind);
  return {
    id: now.id,
    status: txStatus(now),
    nonce: now.nonce ?? original.nonce ?? null,
    ...(isHidden ? { to: null, value: null } : { to, value }),
    hash,
    because,
    until: end === undefined || end <= at ? null : new Date(end).toISOString(),
  };
}
