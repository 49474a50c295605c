import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";

export const demoReset: CommandFile = {
  summary: "Reset the state of --demo, and start its story again",
  sends: "nothing",
  refuses: { demo: "is not needed: the command is always about the demo" },
  examples: ["relayctl demo reset", "relayctl demo reset --quiet", "relayctl demo reset -o json"],
  description:
    "Discard what commands with --demo changed and recorded, and start the story of the demo again: its transactions are minutes and hours old from now on. Until then every command shows the same times.",
  run: resetDemo,
};

export async function resetDemo(call: Call): Promise<View> {
  await call.app.resetDemo();
  await call.say("the state of --demo was reset");
  return { kind: "nothing" };
}
