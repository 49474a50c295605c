import type { Command } from "commander";
import type { View } from "../../terminal/view.ts";
import { readId } from "../../flow/ids.ts";
import { Problems } from "../../flow/problems.ts";
import type { Call } from "../command.ts";
import { update } from "./update.ts";

export interface SwitchFlags {
  diff?: true;
}

/** The operand and flags that `pause` and `resume` share. */
export function defineSwitch(command: Command, description: string): void {
  command
    .description(description)
    .argument("<id>", "the relayer's id, or - for one line of stdin")
    .optionsGroup("Request")
    .option("--diff", "read first and tell what changes");
}

/** Sends nothing but `paused`. */
export async function setPaused(call: Call<SwitchFlags>, paused: boolean): Promise<View> {
  const problems = new Problems();
  const id = await readId(call, problems, "id", call.operands[0]);
  problems.throwIfAny();
  return await update(call, id, { body: { paused }, policies: undefined, file: undefined });
}
