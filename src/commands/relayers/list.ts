import { listCommand } from "../list-command.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers list` (interface 4.1). */
export const relayersList = listCommand({
  noun: "relayers",
  summary: "List the relayers and the state of each",
  description: "List the relayers with their networks, states, notifications, and addresses.",
  examples: [
    "relayctl relayers list",
    "relayctl relayers list --where system_disabled --fields id,disabled_reason.type",
    "relayctl relayers list -o json --query '[?paused].id'",
  ],
  resource: relayerView,
});
