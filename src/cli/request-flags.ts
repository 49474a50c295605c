import type { CommonFlags } from "../command-support/common-flags.ts";
import type { Problems } from "../command-support/problems.ts";
import type { AnyCommand, Sends } from "../commands/command.ts";

/** Whether it makes sense to show the request of a command, or to try it on the demo. */
export function showsRequests(sends: Sends): boolean {
  return sends !== "nothing" && sends !== "probe";
}

/**
 * Refuses the flags that speak of a request to be sent, in the commands that read and change what is stored here: a dry
 * run that changes something would be a broken promise.
 */
export function validateRequestFlags(
  problems: Problems,
  { demo, dryRun, curl }: CommonFlags,
  { sends }: AnyCommand,
): void {
  if (showsRequests(sends)) return;
  for (const [flag, typed] of Object.entries({ "--demo": demo, "--dry-run": dryRun, "--curl": curl })) {
    if (typed) problems.add(flag, "not supported: this command shows no request and does not use the demo");
  }
}
