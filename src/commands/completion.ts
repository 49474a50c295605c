import { SETUPS } from "../completion/scripts.ts";
import { type CompletionShell, SHELLS } from "../completion/shells.ts";
import { oneOf } from "../nearest.ts";
import { type CommandFile, ONE_TEXT } from "./command.ts";

export const completion: CommandFile<object, CompletionShell> = {
  summary: "Print the completion script for a shell",
  examples: SHELLS.slice(0, 3).map((shell) => `relayctl completion ${shell}`),
  args: [{ name: "<shell>", description: `Shell: ${SHELLS.join(", ")}`, words: SHELLS }],
  sends: "nothing",
  refuses: ONE_TEXT,
  variables: ["RELAYCTL_NO_DYNAMIC_COMPLETION"],
  description:
    "Print the script that lets a shell complete commands, flags, their values, and the IDs that exist in the service. " +
    `To set up completion, add one line to your shell's startup file:\n\n${setupText()}`,
  async prepare({ args: [typed = ""] }, problems) {
    const shell = SHELLS.find((shell) => shell === typed);
    if (!shell) problems.add("<shell>", oneOf(typed, SHELLS), typed);
    return shell ?? "bash";
  },
  run: async (_, shell) => ({ kind: "text", text: SETUPS[shell].script }),
};

function setupText(): string {
  return SHELLS.map((shell) => `  ${shell}, in ${SETUPS[shell].where}:\n    ${SETUPS[shell].line}`).join("\n");
}
