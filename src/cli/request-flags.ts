import { readOnlyRefusal } from "../client/read-only.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import type { Problems } from "../command-support/problems.ts";
import { isShown } from "../command-support/shown.ts";
import type { AnyCommand, Sends } from "../commands/command.ts";
import type { CommandSyntax } from "../commands/flags/syntax.ts";
import { type Environment, isReadOnly } from "../config/environment.ts";
import { namesOf } from "./help/help-of.ts";

/** Returns whether a command's request can be shown. */
export function showsRequests(sends: Sends): boolean {
  return usesService(sends) || sends === "deliveries";
}

/** Returns whether a command sends requests to the service, or to the demo in its place. */
export function usesService(sends: Sends): boolean {
  return !["nothing", "journal", "probe", "deliveries"].includes(sends);
}

const WRITES: readonly Sends[] = ["patch", "create", "remove", "once"];

/** Returns whether a command always writes; one that sends anything may. */
export function sendsWrites(sends: Sends): boolean {
  return WRITES.includes(sends);
}

/** What a command can do to the service and its relayers; `local` sends nothing to the service. */
export type CommandEffect = "local" | "read" | "write" | "money";

/** Returns the most that a command can do. */
export function effectOfCommand({ sends, alsoSends = [], spends }: AnyCommand): CommandEffect {
  if (spends) return "money";
  if ([sends, ...alsoSends].some((kind) => sendsWrites(kind) || kind === "anything")) return "write";
  return sends === "nothing" || sends === "deliveries" ? "local" : "read";
}

/** Refuses a command that does more than read before it prompts, unless its request is shown. @throws declined */
export function refuseInReadOnly(
  env: Environment,
  common: CommonFlags,
  { file, command }: { file: AnyCommand; command: CommandSyntax },
): void {
  if (!isReadOnly(env) || isShown({ common }) || file.mayOnlyAsk) return;
  const effect = effectOfCommand(file);
  if (effect === "write" || effect === "money") throw readOnlyRefusal(namesOf(command).join(" "));
}

/** Refuses request flags for commands that change only local data: a dry run may change nothing. */
export function validateRequestFlags(
  problems: Problems,
  { demo, dryRun, curl, reason }: CommonFlags,
  { sends }: AnyCommand,
): void {
  if (reason !== undefined && !sendsWrites(sends) && sends !== "anything")
    problems.add("--reason", "not supported: this command writes nothing");
  for (const [flag, typed] of Object.entries({ "--dry-run": dryRun, "--curl": curl })) {
    if (typed && !showsRequests(sends)) problems.add(flag, "not supported: this command shows no request");
  }
  if (demo && !usesService(sends) && sends !== "journal")
    problems.add("--demo", "not supported: this command does not use the demo");
}
