import type { ResourceView } from "../../../terminal/view.ts";
import { relayerView } from "../view.ts";
import type { RelayerStatus } from "./health.ts";
import { statusScreen } from "./words.ts";

/** How relayers and their states are shown: one screen for a person, `{relayer, status, health}` for a script. */
export const statusView: ResourceView<RelayerStatus> = {
  one: "relayer status",
  many: "relayers",
  id: "relayer.id",
  table: relayerView.table.map((column) => ({
    ...column,
    cell: ({ relayer }) => column.cell(relayer),
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
  ],
  fields: [
    "relayer",
    "status",
    "health",
    "health.state",
    "health.reasons",
    ...relayerView.fields.filter((path) => !path.startsWith("policies.")).map((path) => `relayer.${path}`),
  ],
  block: ({ relayer }) => relayerView.block(relayer),
  screen: statusScreen,
};
