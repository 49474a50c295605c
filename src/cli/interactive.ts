import type { Call } from "../command-support/call.ts";
import { repeatedCommand } from "../command-support/repeated-command.ts";
import { shellOf } from "../command-support/shell/shell-of.ts";
import type { AnyCommand } from "../commands/command.ts";

/** Returns whether `-i` was typed. */
export function isInteractive({ flags }: { flags: { interactive?: true } }): boolean {
  return flags.interactive === true;
}

/** Prints the line that needs no prompts after `-i`, for use in scripts. */
export async function reportPrompted(typed: Call, completed: Call, { inScripts }: AnyCommand): Promise<void> {
  if (!isInteractive(typed) || isInteractive(completed)) return;
  const more = (await inScripts?.(completed)) ?? [];
  await completed.say(
    `without questions: ${[repeatedCommand(completed.argv, [], shellOf(completed.app.env)), ...more].join(" ")}`,
  );
}
