import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import { column } from "../../../terminal/cells.ts";
import type { Cell, ResourceView } from "../../../terminal/view.ts";
import { relayerView } from "../../../views/relayer.ts";
import { type OpenTransaction, openTransactions } from "./open-transactions.ts";
import type { Frozen } from "./perform.ts";

/** What happened to the pause: `failed` and `unknown` have an error, and `not started` was interrupted. */
type PauseEnd = "paused" | "already paused" | "failed" | "unknown" | "not started";

/** A relayer after a freeze, with what the freeze did. */
export type FrozenRelayer = Relayer & {
  freeze: {
    state: PauseEnd;
    error: string | null;
    /** IDs of transactions. */
    canceled: string[];
    cancellation_requested: string[];
    cancellation_failed: string[];
    can_still_be_mined: OpenTransaction[];
  };
};

/** Returns a relayer after a freeze as scripts get it. */
export function frozenRelayer(frozen: Frozen): FrozenRelayer {
  const { target, cancellations, pause } = frozen;
  const accepted = cancellations.flatMap(({ value }) => value?.data ?? []);
  const isDone = (transaction: Transaction) => statusOf(transaction) === "canceled";
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

function pauseEnd({ pause: { value, already, error } }: Frozen): PauseEnd {
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

/** The view of relayers after a freeze: one row of counts each, and the relayer with a member `freeze` for scripts. */
export const frozenView: ResourceView<FrozenRelayer> = {
  ...ofRelayers,
  one: "frozen relayer",
  table: [
    column("id", "id"),
    column("network", "network"),
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
