import { operations } from "../../contract/operations.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { defineListFlags, type ListFlags } from "../list-flags.ts";
import { listView } from "../list-view.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers list`: interface.md, List relayers. */
export const relayersList: CommandFile<ListFlags> = {
  summary: "list the relayers and the state that each is in",
  examples: [
    "relayctl relayers list",
    "relayctl relayers list --where system_disabled --fields id,disabled_reason.type",
    "relayctl relayers list -o json --query '[?paused].id'",
  ],
  resource: relayerView,
  define(command) {
    defineListFlags(command.description("List every relayer: its network, its state, where it reports to and its address."));
  },
  run: (call: Call<ListFlags>): Promise<View> => listView(call, relayerView, operations["relayers.list"], (client, bounds) => client.relayers.list(bounds)),
};
