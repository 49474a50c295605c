import type { App } from "../app.ts";
import type { Call } from "../command-support/call.ts";
import type { EnteredLine } from "../command-support/prompting/prompts.ts";
import { repeatedCommand } from "../command-support/repeated-command.ts";
import type { AnyCommand } from "../commands/command.ts";
import { RelayctlError } from "../errors.ts";
import { userShell } from "../shell/shell-words.ts";

export function isInteractive({ flags }: { flags: { interactive?: true } }): boolean {
  return flags.interactive === true;
}

export async function reportInteractive(
  typed: Call,
  completed: Call,
  file: AnyCommand,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof RelayctlError && error.applied === "no") throw error;
    await reportPrompted(typed, completed, file);
    throw error;
  }
  await reportPrompted(typed, completed, file);
}

async function reportPrompted(typed: Call, completed: Call, { inScripts }: AnyCommand): Promise<void> {
  const { app, entered, say } = completed;
  const line = entered.current();
  const consent = entered.consent() ?? (isInteractive(typed) && !isInteractive(completed) ? [] : undefined);
  if (line === undefined || consent === undefined) return;
  const more = (await inScripts?.(completed)) ?? [];
  await say(`without questions: ${[repeatedCommand(line, consent, userShell(app.env)), ...more].join(" ")}`);
}

/** Returns the command that repeats a run that applied nothing, if prompts or corrections changed it. */
export function againCommand(
  app: App,
  { entered, argv }: { entered: EnteredLine; argv: readonly string[] },
  { applied, subject }: RelayctlError,
): string | undefined {
  const line = entered.current() ?? (subject?.kind === "stopped" && subject.isMistyped ? argv : undefined);
  return line === undefined || applied !== "no" ? undefined : repeatedCommand(line, [], userShell(app.env));
}
