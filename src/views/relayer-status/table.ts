import { secondsSince } from "../../contract/age-text.ts";
import type { RelayerStatus } from "../../relayer-state/health.ts";
import type { ReadStatuses } from "../../relayer-state/read-statuses.ts";
import type { Session } from "../../session/session.ts";
import { type ListView, onePage, type ResourceView } from "../../terminal/view.ts";
import { relayerView } from "../relayer.ts";
import { type Known, statusScreen } from "./words.ts";

/** A nonce on EVM networks, a sequence number on Stellar (facts 3.1). */
const STATUS_FIELDS = [
  "network_type",
  "balance",
  "pending_transactions_count",
  "last_confirmed_transaction_timestamp",
  "system_disabled",
  "paused",
  "nonce",
  "sequence_number",
];

/** The view of relayers and their states: one screen for users, `{relayer, status, health}` for scripts. */
export const statusView: ResourceView<RelayerStatus> = {
  one: "relayer status",
  many: "relayers",
  hasMetrics: true,
  id: "relayer.id",
  table: relayerView.table.map(({ apart, cell, ...column }) => ({
    ...column,
    cell: ({ relayer }) => cell(relayer),
    ...(apart && { apart: ({ relayer }: RelayerStatus) => apart(relayer) }),
    reads: ["relayer"],
  })),
  flat: [
    "relayer.id",
    "health.state",
    "health.reasons",
    "relayer.name",
    "relayer.network",
    "relayer.network_type",
    "relayer.paused",
    "relayer.address",
    "status.balance",
    "status.pending_transactions_count",
    "status.nonce",
    "status.sequence_number",
    "status.last_confirmed_transaction_timestamp",
  ],
  fields: [
    "relayer",
    "status",
    ...STATUS_FIELDS.map((field) => `status.${field}`),
    "health",
    "health.state",
    "health.reasons",
    ...relayerView.fields.filter((path) => !path.startsWith("policies.")).map((path) => `relayer.${path}`),
    "oldest",
    "runway",
  ],
  derived: derivedFrom({}),
  block: ({ relayer }) => relayerView.block(relayer),
  screen: (found, flags) => statusScreen(found, flags),
};

/** Returns the view with what is known beyond the data of the service. */
function statusViewWith(known: Known): ResourceView<RelayerStatus> {
  return {
    ...statusView,
    derived: derivedFrom(known),
    screen: (found, flags) => statusScreen(found, flags, known),
  };
}

function derivedFrom({ oldest, runways }: Known): ResourceView<RelayerStatus>["derived"] & object {
  return {
    oldest: {
      value: ({ relayer }, now) => secondsSince(oldest?.get(relayer.id), now),
      reads: ["relayer"],
      isAge: true,
    },
    runway: { value: ({ relayer }) => runways?.get(relayer.id)?.seconds ?? null, reads: ["relayer"], isAge: true },
  };
}

/** The result of one read of the list, with what was read besides. */
export interface Seen extends Known, ReadStatuses {}

export function statusList({ found, body, missing, ...known }: Seen, { name, flags }: Session): ListView {
  const resource = statusViewWith(known);
  return { kind: "list", resource, pages: onePage(found, body), where: name, flags, inOrder: true };
}
