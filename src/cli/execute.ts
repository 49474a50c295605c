import type { App } from "../app.ts";
import type { Call } from "../command-support/call.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import { behindProgress, openProgress } from "../command-support/progress.ts";
import { withProject } from "../command-support/project.ts";
import { canPrompt, type EnteredLine } from "../command-support/prompting/prompts.ts";
import { soughtIn } from "../commands/command.ts";
import { boundsOf } from "../config/bounds.ts";
import { isContextList } from "../config/contexts.ts";
import { Problems } from "../contract/problems.ts";
import { RelayctlError } from "../errors.ts";
import { validateOutput } from "../terminal/select/selection.ts";
import { ClosedPipe } from "../terminal/streams/output.ts";
import type { OutputOptions, ResourceView } from "../terminal/view.ts";
import { callOf } from "./call-of.ts";
import { validateChoices } from "./choices.ts";
import { helpOf } from "./help/help-of.ts";
import { isInteractive, reportingPrompted } from "./interactive.ts";
import { withLinksLearned } from "./learned-links.ts";
import { createObservedWrites } from "./observed-writes.ts";
import type { ParsedCommand } from "./parse.ts";
import { print } from "./print.ts";
import type { Chosen } from "./program.ts";
import { refuseFlags, refuseInReadOnly } from "./request-flags.ts";
import { withRunUndo } from "./run-undo.ts";

/**
 * Runs one command and prints its result. All input is validated before anything is sent, and all problems are reported
 * at once; a missing argument is prompted for if a terminal is attached.
 * @param entered collects the input from prompts
 * @param perform runs another command line
 */
export async function execute(
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
  refuseInReadOnly(world.env, common, chosen);
  await refuseFlags(problems, parsed.common, chosen);
  const contexts = await readContexts(world, common, chosen, problems);
  if (missing && contexts) throw missing;
  const options = { ...outputOptions(common, chosen.flags), now: world.clock.now() };
  await problems.gather(() => validateOutput(options, contexts?.resource ?? chosen.file.resource));
  boundsOf(common, world.env, problems.found);
  const progress = openProgress(world, common);
  const writes = createObservedWrites(chosen.file);
  const typed = callOf(
    behindProgress(writes.keepingStderr(world), progress),
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
    await reportingPrompted(typed, call, chosen.file, () =>
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
  const words = soughtIn(parsed.chosen.file, parsed.chosen);
  if (words.length === 0) return { call, parsed };
  if (isInSeveral) {
    if (call.args.length === 1) problems.add("--context", "needs the relayer's ID to read in several contexts");
    return { call, parsed };
  }
  const { withIdsLookedUp } = await import("./look-up-ids.ts");
  return await withIdsLookedUp({ call, parsed, words }, problems);
}

/** Returns the selected contexts; undefined for a command in one, which loads nothing for it. */
async function readContexts(
  world: App,
  common: CommonFlags,
  chosen: Chosen,
  problems: Problems,
): Promise<{ names: readonly string[]; resource: ResourceView | undefined } | undefined> {
  if (common.context === undefined || !isContextList(common.context)) return undefined;
  const { chooseContexts } = await import("./contexts/choose.ts");
  const names = await chooseContexts(world, common, chosen, problems);
  if (!names) return undefined;
  const { withContext } = await import("./contexts/resource.ts");
  const { resource, contexts } = chosen.file;
  return { names, resource: resource && !contexts?.itself ? withContext(resource) : resource };
}

/** @param opening called before a pager takes the screen */
async function runAndPrint(
  call: Call,
  { chosen }: ParsedCommand,
  { prepared, contexts }: { prepared: unknown; contexts: readonly string[] | undefined },
  opening: () => Promise<void>,
): Promise<void> {
  const { file } = chosen;
  const explain = (own: Call, error: RelayctlError) => withCircumstances(own, chosen, error);
  if (contexts) {
    const { runInContexts } = await import("./contexts/run.ts");
    const view = await runInContexts({ call, names: contexts, file, prepared, explain });
    return await print(view, call, { file, opening });
  }
  try {
    const view = await withLinksLearned(await file.run(call, prepared), call, file);
    await print(await withRunUndo(view, call), call, { file, opening });
  } catch (error) {
    throw error instanceof RelayctlError ? await explain(call, error) : error;
  }
}

async function withCircumstances(call: Call, { file }: Chosen, error: RelayctlError): Promise<RelayctlError> {
  switch (error.failure) {
    case "auth":
      if (file.sends === "probe") return error;
      return await (await import("./rejected-token.ts")).withTokenSource(call, error);
    case "conflict":
    case "partial":
      return await (await import("../commands/relayers/disabled/explain.ts")).explained(call, error);
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
