import type { App } from "../app.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import { messageWriter } from "../command-support/printing.ts";
import { createEnteredLine } from "../command-support/prompting/prompts.ts";
import { variable } from "../config/environment.ts";
import { hideTypedHeaders } from "../config/token/header-words.ts";
import { type JsonObject, writeJson } from "../contract/json.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import { shellOf } from "../shell/shell-words.ts";
import { asciiText, showsAscii } from "../terminal/ascii.ts";
import { visibleJson } from "../terminal/escape.ts";
import { ClosedPipe, type Output } from "../terminal/streams/output.ts";
import { errorText } from "./error-text.ts";
import { execute } from "./execute.ts";
import { paperOf } from "./help/draw.ts";
import { namesOf } from "./help/help-of.ts";
import { againCommand } from "./interactive.ts";
import { continueLines, nextCommand } from "./next-command.ts";
import { bugText } from "./observed-writes.ts";
import { parse } from "./parse.ts";
import type { CommandSource } from "./parsing/command-source.ts";
import type { Papers, ParsedText } from "./parsing/parse-line.ts";
import { hintAtTarget, typedColor, wantsJson } from "./parsing/typed-early.ts";

export async function run(
  world: App,
  argv: readonly string[],
  described?: () => Promise<CommandSource>,
): Promise<number> {
  let common: CommonFlags = {};
  let command = "";
  const entered = createEnteredLine(argv);
  const workflow =
    world.env.GITHUB_ACTIONS === "true" && !variable(world.env, "RELAYCTL_NO_ANNOTATIONS")
      ? (await import("./workflow/workflow.ts")).openWorkflow(world, () => command)
      : undefined;
  const app = workflow?.app ?? world;
  await hideTypedHeaders(argv, world.secrets);
  try {
    const parsed = await parse(argv, buildPapers(app, argv), described);
    if (parsed.kind === "text") {
      if (parsed.mistake && wantsJson(app, argv)) throw parsed.mistake;
      return await printText(app, parsed, argv);
    }
    command = namesOf(parsed.chosen.command).join(" ");
    common = parsed.common;
    await execute(app, parsed, argv, entered, (words, other) => run(other ?? world, words, described));
    return 0;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const known = asInterrupted(app, error instanceof RelayctlError ? error : internal(error));
    const { masked } = world.secrets;
    const words = (entered.current() ?? argv).map(masked);
    const hint = await nextCommand(known, words, common, shellOf(app.env));
    const next = continueLines(known, words, shellOf(app.env));
    const shown = known.with({ hint, next, again: againCommand(app, { entered, argv }, known) }).masked(masked);
    world.failed?.(shown);
    await workflow?.failed(shown);
    return await end(app, argv, shown, common);
  } finally {
    await workflow?.end();
  }
}

function buildPapers({ env, stdout, stderr }: App, argv: readonly string[]): Papers {
  const color = typedColor(argv);
  return { out: () => paperOf(stdout, env, color), err: () => paperOf(stderr, env, color) };
}

async function printText(app: App, { text, to, exitCode }: ParsedText, argv: readonly string[]): Promise<number> {
  const { env, stdout, stderr } = app;
  const shown = (stream: Output) => (showsAscii(stream, env) ? asciiText(text) : text);
  if (to === "err") await stderr.write(shown(stderr));
  else await printHelp(app, shown(stdout), argv);
  return exitCode;
}

async function printHelp(app: App, text: string, argv: readonly string[]): Promise<void> {
  const { stdout } = app;
  const isShort = !stdout.isTerminal || text.split("\n").length <= stdout.rows;
  if (isShort) return await stdout.write(text);
  const { pagedOutput } = await import("../command-support/paging.ts");
  const common = { pager: !argv.includes("--no-pager"), input: !argv.includes("--no-input") };
  const warn = messageWriter(app, { color: typedColor(argv) });
  const paged = pagedOutput(app, { stdout, common, warn, opening: async () => {} });
  await (paged?.stdout ?? stdout).write(text);
  await paged?.close();
}

async function end(app: App, argv: readonly string[], error: RelayctlError, { quiet }: CommonFlags): Promise<number> {
  const say = messageWriter(app, { color: typedColor(argv) });
  try {
    if (wantsJson(app, argv)) {
      for (const line of error.following) await say(line);
      await app.stderr.write(`${errorLine(error, argv)}\n`);
    } else if (!error.isSaid && (!quiet || error.failure !== "changes"))
      for (const line of await errorText(error, argv)) await say(line);
  } catch {
    // stderr itself is gone, so only the exit code can show the error.
  }
  return error.exitCode;
}

const SIGNALED: readonly Failure[] = ["terminated", "hung_up"];

/** Turns the error of an interrupted command into the signal's, unless a write may have been applied. */
function asInterrupted({ interrupt }: App, error: RelayctlError): RelayctlError {
  if (!interrupt.aborted) return error;
  const failure = SIGNALED.find((word) => word === interrupt.reason) ?? "interrupted";
  // Output that is not read, or that a closed terminal refuses, is abandoned because of the signal.
  const isCutShort = error.failure === "io" && error.applied !== "no";
  if (error.failure === "interrupted" || isCutShort) return error.with({ failure });
  if (error.applied !== "no") return error;
  const { because } = error;
  return new RelayctlError(failure, "interrupted; nothing was applied", { because, cause: error, isInterrupted: true });
}

function internal(error: unknown): RelayctlError {
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return new RelayctlError("usage", "this folder no longer exists: change to another", { cause: error });
  return new RelayctlError("internal", bugText(error), { applied: "unknown", cause: error });
}

/** Formats an error as one line for scripts: the last line of stderr with `-o json` and `-o ndjson`. */
function errorLine(error: RelayctlError, argv: readonly string[]): string {
  const { failure, message, exitCode, applied, retryable, http, details, again } = error;
  const described: JsonObject = {
    code: failure,
    message: [message, ...error.because].join("; "),
    exit_code: exitCode,
    applied,
    retryable,
    http: http ? { ...http } : null,
    hint: hintAtTarget(error, argv) ?? null,
    details: details.map((problem) => ({ ...problem })),
    ...(again !== undefined && { again }),
  };
  return visibleJson(writeJson({ error: described }));
}
