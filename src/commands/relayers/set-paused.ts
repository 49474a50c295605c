import type { Command } from "commander";
import { readId } from "../../flow/ids.ts";
import type { DiffFlag } from "../../flow/shown.ts";
import type { CommandFile } from "../command.ts";
import { DIFF } from "../diff-flag.ts";
import { relayerOperand } from "./operand.ts";
import { sendUpdate } from "./send-update.ts";
import { relayerView } from "./view.ts";

/** `pause` and `resume`: an update of `paused` and of nothing else. */
export function setPaused(
  paused: boolean,
  described: { summary: string; description: string; examples: readonly string[] },
): CommandFile<DiffFlag, string> {
  return {
    summary: described.summary,
    sends: "patch",
    ends: { conflict: "disabled" },
    examples: described.examples,
    resource: relayerView,
    operands: [relayerOperand],
    define: (command: Command) => {
      command
        .description(described.description)
        .optionsGroup("Request")
        .option(...DIFF);
    },
    prepare: (call, problems) => readId(call, problems, "id", call.operands[0]),
    run: (call, id) => sendUpdate(call, id, { paused }),
  };
}
