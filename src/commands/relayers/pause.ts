import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { defineSwitch, type SwitchFlags, setPaused } from "./set-paused.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers pause <id>`: an update of `paused` alone, which is never asked about. */
export const relayersPause: CommandFile<SwitchFlags> = {
  summary: "stop a relayer from taking new work",
  examples: [
    "relayctl relayers pause eth-main-1",
    "relayctl relayers pause eth-main-1 --diff",
    "relayctl relayers pause eth-main-1 --curl",
  ],
  resource: relayerView,
  define(command) {
    defineSwitch(command, "Pause a relayer: it refuses new work. What it has queued already goes on.");
  },
  run: (call: Call<SwitchFlags>): Promise<View> => setPaused(call, true),
};
