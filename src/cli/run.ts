import type { App } from "../app.ts";
import type { Call, Say } from "../command-support/call.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import { messageWriter, withContextName } from "../command-support/printing.ts";
import { clearingProgress, openProgress, type Progress } from "../command-support/progress.ts";
import { canPrompt, createEnteredLine, type EnteredLine, promptsWithin } from "../command-support/prompting/prompts.ts";
import { openSession, type SessionRequest, withReadsUntil } from "../command-support/session/open-session.ts";
import { type DiffFlag, dryRunReach } from "../command-support/shown.ts";
import { type AnyCommand, commandAppliesTo, soughtWords } from "../commands/command.ts";
import { boundsOf } from "../config/bounds.ts";
import { isContextList } from "../config/contexts.ts";
import { readEnv } from "../config/environment.ts";
import { type FoundProject, projectLines } from "../config/project/project.ts";
import { hideHeaderWords } from "../config/token/header-words.ts";
import { type JsonObject, writeJson } from "../contract/json.ts";
import { Problems } from "../contract/problems.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import { messageText } from "../message.ts";
import type { JournalFlags } from "../session/journaling/session-journal.ts";
import type { Session } from "../session/session.ts";
import { createStopwatch } from "../session/stopwatch.ts";
import { commandLine, userShell } from "../shell/shell-words.ts";
import { asciiText, showsAscii } from "../terminal/ascii.ts";
import { escapeJson } from "../terminal/escape.ts";
import type { OutputOptions } from "../terminal/output-options.ts";
import type { PromptLook } from "../terminal/prompts.ts";
import { validateOutput } from "../terminal/select/selection.ts";
import { ClosedPipe, type Output } from "../terminal/streams/output.ts";
import { DEFAULT_DEADLINE, FOLLOW_DEADLINE } from "../timing.ts";
import { validateChoices } from "./choices.ts";
import { errorText } from "./error-text.ts";
import { helpLayout } from "./help/draw.ts";
import { helpOf, namesInHelp } from "./help/help-of.ts";
import { againCommand, isInteractive, reportInteractive } from "./interactive.ts";
import { nextCommand, nextCommandLines } from "./next-command.ts";
import { bugText, createObservedWrites } from "./observed-writes.ts";
import { type ParsedCommand, parseArgv } from "./parse.ts";
import type { CommandSource } from "./parsing/command-source.ts";
import type { Layouts, ParsedText } from "./parsing/parse-line.ts";
import { typedColorEarly, typedTargetHint, wantsJsonEarly } from "./parsing/typed-early.ts";
import { loadViewLinks, printView } from "./print.ts";
import type { ChosenCommand } from "./program.ts";
import { refuseReadOnlyFlags, refuseRequestFlags, requestMaySendWrites } from "./request-flags.ts";
import { withRunUndo } from "./run-undo.ts";

export async function runArgv(
  world: App,
  argv: readonly string[],
  described?: () => Promise<CommandSource>,
): Promise<number> {
  let common: CommonFlags = {};
  let command = "";
  const entered = createEnteredLine(argv);
  const workflow =
    world.env.GITHUB_ACTIONS === "true" && !readEnv(world.env, "RELAYCTL_NO_ANNOTATIONS")
      ? (await import("./workflow/workflow.ts")).openWorkflow(world, () => command)
      : undefined;
  const app = workflow?.app ?? world;
  await hideHeaderWords(argv, world.secrets);
  try {
    const parsed = await parseArgv(argv, buildLayouts(app, argv), described);
    if (parsed.kind === "text") {
      if (parsed.mistake && wantsJsonEarly(app, argv)) throw parsed.mistake;
      return await printText(app, parsed, argv);
    }
    command = namesInHelp(parsed.chosen.command).join(" ");
    common = parsed.common;
    await runParsed(app, parsed, argv, entered, (words, other) => runArgv(other ?? world, words, described));
    return 0;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const known = asInterrupted(app, error instanceof RelayctlError ? error : internalError(error));
    const { masked } = world.secrets;
    const words = (entered.current() ?? argv).map(masked);
    const hint = await nextCommand(known, words, common, userShell(app.env));
    const next = nextCommandLines(known, words, userShell(app.env));
    const shown = known.with({ hint, next, again: againCommand(app, { entered, argv }, known) }).masked(masked);
    world.failed?.(shown);
    await workflow?.failed(shown);
    return await endRun(app, argv, shown, common);
  } finally {
    await workflow?.end();
  }
}

function buildLayouts({ env, stdout, stderr }: App, argv: readonly string[]): Layouts {
  const color = typedColorEarly(argv);
  return { out: () => helpLayout(stdout, env, color), err: () => helpLayout(stderr, env, color) };
}

async function printText(app: App, { text, to, exitCode }: ParsedText, argv: readonly string[]): Promise<number> {
  const { env, stdout, stderr } = app;
  const shown = (stream: Output) => (showsAscii(stream, env) ? asciiText(text) : text);
  if (to === "err") {
    await app.heard?.(text.split("\n"));
    await stderr.write(shown(stderr));
  } else await printHelp(app, shown(stdout), argv);
  return exitCode;
}

async function printHelp(app: App, text: string, argv: readonly string[]): Promise<void> {
  const { stdout } = app;
  const isShort = !stdout.isTerminal || text.split("\n").length <= stdout.rows;
  if (isShort) return await stdout.write(text);
  const { pagedOutput } = await import("../command-support/paging.ts");
  const common = { pager: !argv.includes("--no-pager"), input: !argv.includes("--no-input") };
  const warn = messageWriter(app, { color: typedColorEarly(argv) });
  const paged = pagedOutput(app, { stdout, common, warn, opening: async () => {} });
  await (paged?.stdout ?? stdout).write(text);
  await paged?.close();
}

async function endRun(
  app: App,
  argv: readonly string[],
  error: RelayctlError,
  { quiet }: CommonFlags,
): Promise<number> {
  const say = messageWriter(app, { color: typedColorEarly(argv) });
  try {
    if (wantsJsonEarly(app, argv)) {
      for (const line of error.following) await say(line);
      await app.stderr.write(`${errorLine(error, argv)}\n`);
    } else if (!error.isSaid && (!quiet || error.failure !== "changes"))
      for (const line of errorText(error, argv)) await say(line);
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

function internalError(error: unknown): RelayctlError {
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return new RelayctlError("usage", "this folder no longer exists: change to another", { cause: error });
  return new RelayctlError("internal", bugText(error), { applied: "unknown", cause: error });
}

/** Formats an error as one line for scripts: the last line of stderr with `-o json` and `-o ndjson`. */
function errorLine(error: RelayctlError, argv: readonly string[]): string {
  const { failure, message, exitCode, applied, retryable, details, again } = error;
  const { isRead: _, ...http } = error.http ?? {};
  const described: JsonObject = {
    code: failure,
    message: [message, ...error.because].join("; "),
    exit_code: exitCode,
    applied,
    retryable,
    http: error.http ? http : null,
    hint: typedTargetHint(error, argv) ?? null,
    details: details.map((problem) => ({ ...problem })),
    ...(again !== undefined && { again }),
  };
  return escapeJson(writeJson({ error: described }));
}

/** Returns the app with a trusted project file, which is read once; without it in `--demo`. */
function withProject(app: App, common: CommonFlags): App {
  const { projectFile } = app;
  if (common.demo || !projectFile) return Object.create(app, { projectFile: { value: undefined } });
  let found: Promise<FoundProject | undefined> | undefined;
  let trusted: Promise<FoundProject | undefined> | undefined;
  const find = () => (found ??= projectFile.find());
  const project = () => (trusted ??= find().then((each) => trustedProject(each, app, common)));
  return Object.create(app, {
    projectFile: { value: { find, forget: () => projectFile.forget() } },
    project: { value: project },
  });
}

async function trustedProject(found: FoundProject | undefined, app: App, common: CommonFlags) {
  if (!found || found.trust === "trusted") return found;
  const { path } = found;
  const why = found.trust === "changed" ? "changed since it was trusted" : "is not trusted yet";
  if (!canPrompt(app, common)) {
    const command = commandLine("context", "trust");
    await messageWriter(app, common)({ note: `${path} ${why}, and is not used; to use it, run ${command}` });
    return undefined;
  }
  const say = messageWriter(app, { color: common.color });
  await say(`${path} ${why}. It sets:`);
  for (const line of projectLines(found)) await say(`  ${line}`);
  const prompts = await app.prompts({ color: common.color });
  if (!(await prompts.confirm("Use this file, until it changes?")))
    throw new RelayctlError("declined", `${path} is not trusted; nothing was sent`, {
      hint: "run the command in another folder",
    });
  await found.remember();
  return found;
}

function createCall(
  app: App,
  chosen: ChosenCommand,
  typed: Pick<Call, "common" | "output" | "argv" | "entered" | "perform" | "among">,
  progress: Pick<Progress, "count" | "idle"> & { hear: SessionRequest["hear"] },
): Call {
  const { file, args } = chosen;
  const { hear, count, idle } = progress;
  const { common, among } = typed;
  let opened: Promise<Session> | undefined;
  let protectedContext: string | undefined;
  const write = messageWriter(app, common, () => protectedContext);
  const say = among ? sayingIn(common.context ?? "", write, among.said) : write;
  const flags: DiffFlag & JournalFlags & { abi?: string } = chosen.flags;
  const limit = defaultLimit(file, { args, flags });
  const reach = dryRunReach(
    { app, common, flags },
    commandAppliesTo(file.readsFirst, { args, flags }) || needsLookup(file, { args, flags }),
  );
  const sends = among && !among.agree && reach === "all" ? "reads" : reach;
  const isPublic = file.isPublic === true;
  const writes = !file.mayOnlyAsk && requestMaySendWrites(file);
  const request = {
    app,
    common,
    say,
    hear,
    limit,
    sends,
    isPublic,
    writes,
    showsUrls: typed.output.format === "raw" || commandAppliesTo(file.showsUrls, { args, flags }),
    argv: typed.argv,
    entered: typed.entered,
    once: flags,
    abi: flags.abi,
  };
  const session = () => (opened ??= open());
  const open = async () => {
    const found = await openSession(request);
    if (found.protected) protectedContext = found.name;
    return found;
  };
  const pausingApp = withPauses(app, common, () => opened);
  const inContext: Call["inContext"] = (context, among) =>
    createCall(app, chosen, { ...typed, common: { ...common, context }, ...(among && { among }) }, progress);
  return { ...typed, app: pausingApp, args, flags, say, session, count, idle, inContext };
}

function needsLookup(file: AnyCommand, typed: Pick<Call, "args"> & { flags: object }): boolean {
  return typed.args.length === 1 && soughtWords(file, { ...typed, flags: { ...typed.flags } }).length > 0;
}

function sayingIn(name: string, say: Say, said: Set<string>): Say {
  return async (line) => {
    const shown = typeof line === "object" && "environment" in line ? line : withContextName(line, name);
    const text = messageText(shown);
    if (said.has(text)) return;
    said.add(text);
    await say(shown);
  };
}

/** Returns the default time limit of a command (promises 2.2). */
function defaultLimit({ paginates, waits }: AnyCommand, typed: Pick<Call, "args" | "flags">): number | undefined {
  if (commandAppliesTo(waits, typed)) return FOLLOW_DEADLINE;
  return commandAppliesTo(paginates, typed) ? undefined : DEFAULT_DEADLINE;
}

/** Returns the same app, but with the command's time limit paused while a prompt is open. */
function withPauses(app: App, { color }: CommonFlags, opened: () => Promise<Session> | undefined): App {
  const pausing = async <T>(ask: () => Promise<T>) => {
    const session = await opened();
    return session ? await session.pausing(ask()) : await ask();
  };
  const prompts = async (look?: PromptLook) => promptsWithin(await app.prompts({ color, ...look }), pausing);
  return Object.create(app, { prompts: { value: prompts } });
}

/** Validates all input before it sends anything, and reports all problems at once. @param entered input of prompts */
async function runParsed(
  app: App,
  typedLine: ParsedCommand,
  argv: readonly string[],
  entered: EnteredLine,
  perform: Call["perform"],
): Promise<void> {
  const world = withProject(app, typedLine.common);
  const parsed = await withFleetFiles(world, typedLine);
  const { chosen, missing } = parsed;
  if (missing && !canPrompt(world, parsed.common)) throw missing;
  const problems = new Problems(parsed.problems);
  const common = await validateChoices(world.env, parsed.common, problems);
  refuseReadOnlyFlags(world.env, common, chosen);
  await refuseRequestFlags(problems, parsed.common, chosen);
  const contexts = await readContexts(world, common, chosen, problems);
  if (missing && contexts) throw missing;
  const options = { ...outputOptions(common, chosen.flags), now: world.clock.now() };
  await problems.gather(() => validateOutput(options, contexts?.resource ?? chosen.file.resource));
  const { deadline } = boundsOf(common, world.env, problems.found);
  const progress = openProgress(world, common);
  const writes = createObservedWrites(chosen.file, common);
  const typed = createCall(
    clearingProgress(
      writes.keepingStderr(withReadsUntil(createStopwatch(world.clock, deadline?.value), world)),
      progress,
    ),
    chosen,
    { common, output: options, argv, entered, perform },
    {
      ...{ count: progress.count, idle: progress.idle },
      hear(event, look) {
        writes.hear(event, look);
        progress.hear(event);
      },
    },
  );
  try {
    const named = await withWholeIds(typed, parsed, problems, contexts !== undefined);
    const call = await withAnswers(named.call, named.parsed, problems);
    if (!call) return await typed.say("no changes; nothing was sent");
    const prepared = await problems.gather(() => chosen.file.prepare?.(call, problems));
    problems.throwIfAny(helpOf(chosen.command));
    await reportInteractive(typed, call, chosen.file, () =>
      runAndPrint(call, parsed, { prepared, contexts: contexts?.names }, progress.end),
    );
    writes.throwUnsaid();
  } catch (error) {
    if (error instanceof ClosedPipe) await writes.sayWhereShown(typed.say);
    throw writes.withOutcome(error);
  } finally {
    await progress.end();
  }
}

/** Returns the line with the files of the project file. Most commands take none, and load nothing for it. */
async function withFleetFiles(world: App, parsed: ParsedCommand): Promise<ParsedCommand> {
  if (!world.project || !parsed.chosen.file.projectFiles) return parsed;
  return await (await import("./project-files.ts")).withProjectFiles(world, parsed);
}

async function withWholeIds(call: Call, parsed: ParsedCommand, problems: Problems, isInSeveral: boolean) {
  const words = soughtWords(parsed.chosen.file, parsed.chosen);
  if (words.length === 0) return { call, parsed };
  if (isInSeveral) {
    if (call.args.length === 1) problems.add("--context", "needs the relayer's ID to read in several contexts");
    return { call, parsed };
  }
  const { lookUpTypedIds } = await import("./look-up-ids.ts");
  return await lookUpTypedIds({ call, parsed, words }, problems);
}

/** Returns the selected contexts; undefined, without loading, for one. */
async function readContexts(world: App, common: CommonFlags, chosen: ChosenCommand, problems: Problems) {
  if (common.context === undefined || !isContextList(common.context)) return undefined;
  const { chooseContexts } = await import("./contexts/choose.ts");
  const names = await chooseContexts(world, common, chosen, problems);
  if (!names) return undefined;
  const { resourceWithContext } = await import("./contexts/resource.ts");
  const { resource, contexts } = chosen.file;
  return { names, resource: resource && !contexts?.itself ? resourceWithContext(resource) : resource };
}

/** @param opening called before a pager takes the screen */
async function runAndPrint(
  call: Call,
  { chosen }: ParsedCommand,
  { prepared, contexts }: { prepared: unknown; contexts: readonly string[] | undefined },
  opening: () => Promise<void>,
): Promise<void> {
  const { file } = chosen;
  const explain = (own: Call, error: RelayctlError) => explainError(own, chosen, error);
  if (contexts) {
    const { runInContexts } = await import("./contexts/run.ts");
    const view = await runInContexts({ call, names: contexts, file, prepared, explain });
    return await printView(view, call, { file, opening });
  }
  try {
    const view = await loadViewLinks(await file.run(call, prepared), call, file);
    await printView(await withRunUndo(view, call), call, { file, opening });
  } catch (error) {
    throw error instanceof RelayctlError ? await explain(call, error) : error;
  }
}

async function explainError(call: Call, { file }: ChosenCommand, error: RelayctlError): Promise<RelayctlError> {
  const { failure } = error.cause instanceof RelayctlError ? error.cause : error;
  if (failure === "conflict")
    return await (await import("../commands/relayers/disabled/explain.ts")).explainDisabled(call, error);
  switch (error.failure) {
    case "auth":
      if (file.sends === "probe") return error;
      return await (await import("./rejected-token.ts")).rejectedTokenError(call, error);
    case "not_found":
      return await (await import("./recorded-send.ts")).withRecordedSend(
        call,
        await (await import("./nearest-id.ts")).withNearestId(call, error),
      );
    default:
      return error;
  }
}

async function withAnswers(call: Call, parsed: ParsedCommand, problems: Problems): Promise<Call | undefined> {
  const mayInterview = parsed.chosen.file.interview !== undefined && canPrompt(call.app, call.common);
  if (!parsed.missing && !mayInterview && !isInteractive(call)) return call;
  const { promptForMissing } = await import("./prompt-for-missing.ts");
  return await promptForMissing(call, parsed, problems);
}

function outputOptions(
  common: CommonFlags,
  { where, sort, limit }: { where?: string[]; sort?: string; limit?: string },
): OutputOptions {
  const { output, fields, query, headers } = common;
  const most = limit !== undefined && /^[1-9][0-9]*$/.test(limit) ? Number(limit) : undefined;
  return { format: output, fields, query, headers, where, sort, limit: most };
}
