import { whyNoPrompt } from "../command-support/prompting/prompts.ts";
import { RelayctlError } from "../errors.ts";
import type { CommandFile } from "./command.ts";

export const tour: CommandFile = {
  summary: "Learn relayctl in five steps, in a demo that is removed at the end",
  sends: "nothing",
  ends: { ok: "the tour ended, or you quit" },
  examples: ["relayctl tour", "relayctl tour --color never", "relayctl tour --no-pager"],
  description:
    "See what is wrong with the relayers of the demo, free a stuck queue, change something and undo it, pay, and carry out a plan. Each step ends when the demo shows that you did it, whichever command you typed. Type `hint` for a command, `skip` for the next step, and `quit` to end. All of it happens in a temporary folder, which is removed at the end: the state of --demo, your settings, and your journal stay as they are. Without a terminal, read docs/start/get-started.md.",
  async prepare({ app, common }) {
    const why = whyNoPrompt(app, common);
    if (why === undefined) return;
    throw new RelayctlError("usage", `the tour needs a terminal: ${why}; read docs/start/get-started.md instead`);
  },
  run: async (call) => (await import("./tour/run-tour.ts")).runTour(call),
};
