import type { App } from "../app.ts";
import { boundsOf } from "../config/bounds.ts";
import { RelayctlError } from "../errors.ts";
import { behindProgress, openProgress } from "../flow/behind-progress.ts";
import type { Call } from "../flow/call.ts";
import type { CommonFlags } from "../flow/common-flags.ts";
import { openSession } from "../flow/open-session.ts";
import { Problems } from "../flow/problems.ts";
import type { Progress } from "../flow/progress.ts";
import type { Session } from "../flow/session.ts";
import { speaker } from "../flow/speaker.ts";
import { ClosedPipe } from "../terminal/closed-pipe.ts";
import { colorEnabled } from "../terminal/color.ts";
import { judgeOutput } from "../terminal/judge-output.ts";
import type { OutputOptions } from "../terminal/output-options.ts";
import type { Printer } from "../terminal/printer.ts";
import { renderView } from "../terminal/render.ts";
import type { View } from "../terminal/view.ts";
import { judgeChoices } from "./choices.ts";
import { helpOf } from "./help/help-of.ts";
import type { ParsedCommand } from "./parse.ts";
import type { Chosen } from "./program.ts";

/** Runs one command and prints what it gives. Everything that was typed is judged before anything is sent, all at once. */
export async function execute(world: App, parsed: ParsedCommand, argv: readonly string[]): Promise<void> {
  const { chosen } = parsed;
  const problems = new Problems(parsed.problems);
  const common = await judgeChoices(world.env, parsed.common, problems);
  const flags = chosen.command.opts<object>();
  const options = outputOptions(common, flags);
  await problems.gather(() => judgeOutput(options, chosen.file.resource));
  boundsOf(common, world.env, problems.found);
  const progress = openProgress(world, common);
  const app = behindProgress(world, progress);
  const call = callOf(app, chosen, common, argv, progress.hear);
  const prepared = await problems.gather(() => chosen.file.prepare?.(call, problems));
  problems.throwIfAny(helpOf(chosen.command));
  try {
    const view = await chosen.file.run(call, prepared);
    const color = colorEnabled(app.env, common.color ?? "auto", app.stdout.isTerminal);
    await print(view, options, { stdout: app.stdout, color, note: call.say });
  } finally {
    await progress.end();
  }
}

function callOf(app: App, chosen: Chosen, common: CommonFlags, argv: readonly string[], hear: Progress["hear"]): Call {
  const say = speaker(app.stderr, common);
  const walks = chosen.command.options.some(({ long }) => long === "--per-page");
  const sends = chosen.file.readsFirst === true || (!common.dryRun && !common.curl);
  const session = once(() => openSession({ app, common, say, hear, walks, sends }));
  return { app, operands: chosen.operands, flags: chosen.command.opts(), common, argv, say, session };
}

function once(open: () => Promise<Session>): () => Promise<Session> {
  let opened: Promise<Session> | undefined;
  return () => (opened ??= open());
}

/** Flags of a list that choose, where the command has them. */
interface ChoosingFlags {
  where?: string[];
  sort?: string;
  limit?: string;
}

function outputOptions(common: CommonFlags, { where, sort, limit }: ChoosingFlags): OutputOptions {
  const { output, fields, query, headers } = common;
  const most = limit !== undefined && /^[1-9][0-9]*$/.test(limit) ? Number(limit) : undefined;
  return { format: output, fields, query, headers, where, sort, limit: most };
}

/**
 * Prints the result, then the receipt: the last line is the one to go on from. A write that was applied stays applied when
 * either cannot be written, and that must be said.
 */
async function print(view: View, options: OutputOptions, printer: Printer): Promise<void> {
  const receipt = "receipt" in view ? view.receipt : undefined;
  if (!receipt) return await renderView(view, options, printer);
  const failures: unknown[] = [];
  await renderView(view, options, printer).catch((error: unknown) => failures.push(error));
  for (const line of receipt) await printer.note(line).catch((error: unknown) => failures.push(error));
  const [failure] = failures;
  if (failure === undefined || failure instanceof ClosedPipe) return;
  const because = failure instanceof RelayctlError ? [failure.message] : [];
  throw new RelayctlError("io", "applied, but the result could not be written", {
    applied: "yes",
    because,
    cause: failure,
  });
}
