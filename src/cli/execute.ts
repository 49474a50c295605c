import type { App } from "../app.ts";
import { RelayctlError } from "../errors.ts";
import type { Call } from "../flow/call.ts";
import type { CommonFlags } from "../flow/common-flags.ts";
import { openSession } from "../flow/open-session.ts";
import type { Session } from "../flow/session.ts";
import { colorEnabled } from "../terminal/color.ts";
import type { OutputOptions } from "../terminal/output-options.ts";
import type { Printer } from "../terminal/printer.ts";
import { renderView } from "../terminal/render.ts";
import { readSelection } from "../terminal/select/selection.ts";
import type { View } from "../terminal/view.ts";
import { judgeChoices } from "./choices.ts";
import type { Chosen } from "./program.ts";
import { speaker } from "./speaker.ts";

/** Runs one command and prints what it gives. How it is to be printed is judged before the command sends anything. */
export async function execute(app: App, chosen: Chosen, typed: CommonFlags, argv: readonly string[]): Promise<void> {
  const common = judgeChoices(app.env, typed);
  const flags = chosen.command.opts<object>();
  const options = outputOptions(common, flags);
  await readSelection(options, chosen.file.resource);
  const say = speaker(app, common);
  const session = once(() => openSession({ app, common, say, walks: isList(chosen), sends: !common.dryRun && !common.curl }));
  const call: Call = { app, operands: chosen.operands, flags, common, argv, say, session };
  const view = await chosen.file.run(call);
  const color = colorEnabled(app.env, common.color ?? "auto", app.stdout.isTerminal);
  await print(view, options, { stdout: app.stdout, color, note: say });
}

/** Flags of a list that choose, where the command has them. */
interface ChoosingFlags {
  where?: string[];
  sort?: string;
  limit?: string;
}

function outputOptions(common: CommonFlags, { where, sort, limit }: ChoosingFlags): OutputOptions {
  const { output, fields, query, headers } = common;
  const most = limit !== undefined && /^[0-9]+$/.test(limit) ? Number(limit) : undefined;
  return { format: output, fields, query, headers, where, sort, limit: most };
}

function isList({ command }: Chosen): boolean {
  return command.options.some(({ long }) => long === "--per-page");
}

function once(open: () => Promise<Session>): () => Promise<Session> {
  let opened: Promise<Session> | undefined;
  return () => (opened ??= open());
}

/** A write that was applied stays applied when its result cannot be printed, and that must be said. */
async function print(view: View, options: OutputOptions, printer: Printer): Promise<void> {
  try {
    await renderView(view, options, printer);
  } catch (error) {
    if (!("applied" in view) || !(error instanceof RelayctlError) || error.failure !== "io") throw error;
    throw new RelayctlError("io", "applied, but the result could not be written", { applied: "yes", because: [error.message], cause: error });
  }
}
