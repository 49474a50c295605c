import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { defineSwitch, type SwitchFlags, setPaused } from "./set-paused.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers resume <id>`: an update of `paused` alone. */
export const relayersResume: CommandFile<SwitchFlags> = {
  summary: "let a paused relayer take work again",
  examples: [
    "relayctl relayers resume eth-main-2",
    "relayctl relayers resume eth-main-2 --diff",
    "relayctl relayers resume eth-main-2 --dry-run",
  ],
  resource: relayerView,
  define(command) {
    defineSwitch(command, "Let a paused relayer take work again. A relayer that the service disabled comes back by itself.");
  },
  run: (call: Call<SwitchFlags>): Promise<View> => setPaused(call, false),
};
