import type { CommonFlags } from "../command-support/common-flags.ts";
import type { Problems } from "../command-support/problems.ts";
import type { AnyCommand, Sends } from "../commands/command.ts";

/** Returns whether a command's request can be shown. */
export function showsRequests(sends: Sends): boolean {
  return sends !== "nothing" && sends !== "journal" && sends !== "probe";
}

const WRITES: readonly Sends[] = ["patch", "create", "remove", "once"];

/** Returns whether a command always writes; one that sends anything may. */
export function sendsWrites(sends: Sends): boolean {
  return WRITES.includes(sends);
}

/**
 * Refuses request flags for commands that read and change only local data: a dry run that changes something would break
 * its promise.
 */
export function validateRequestFlags(
  problems: Problems,
  { demo, dryRun, curl, reason }: CommonFlags,
  { sends }: AnyCommand,
): void {
  if (reason !== undefined && !sendsWrites(sends) && sends !== "anything")
    problems.add("--reason", "not supported: this command writes nothing");
  if (showsRequests(sends)) return;
  for (const [flag, typed] of Object.entries({ "--dry-run": dryRun, "--curl": curl })) {
    if (typed) problems.add(flag, "not supported: this command shows no request");
  }
  if (demo && sends !== "journal") problems.add("--demo", "not supported: this command does not use the demo");
}
