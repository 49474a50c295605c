import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";

export const demoReset: CommandFile = {
  summary: "Discard the changes of commands with --demo",
  sends: "nothing",
  refuses: { demo: "is not needed: the command is always about the demo" },
  examples: ["relayctl demo reset", "relayctl demo reset --quiet", "relayctl demo reset -o json"],
  description:
    "Discard the changes and the journal of commands with --demo. The demo starts again, with transactions that are minutes and hours old. It keeps these times until the next reset.",
  run: resetDemo,
};

export async function resetDemo(call: Call): Promise<View> {
  await call.app.resetDemo();
  await call.say("the state of --demo was reset");
  return { kind: "nothing" };
}
