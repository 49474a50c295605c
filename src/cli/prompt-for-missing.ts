import type { Call } from "../command-support/call.ts";
import { canPrompt, whyNoPrompt } from "../command-support/prompting/prompts.ts";
import { dryRunReach } from "../command-support/shown.ts";
import {
  type AnyCommand,
  type Argument,
  type CommandSyntax,
  commandAppliesTo,
  type Flag,
  isReplaced,
} from "../commands/command.ts";
import { readEnv } from "../config/environment.ts";
import { Problems } from "../contract/problems.ts";
import { RelayctlError, usageError } from "../errors.ts";
import { readSettings } from "../session/read-settings.ts";
import { helpOf } from "./help/help-of.ts";
import { type ParsedCommand, parseArgv } from "./parse.ts";
import { sendsRequest } from "./request-flags.ts";

/** No prompt appears while typed input is known to be wrong. @returns undefined if the input leaves nothing to do */
export async function promptForMissing(call: Call, line: ParsedCommand, problems: Problems): Promise<Call | undefined> {
  const { chosen, missing } = line;
  if (missing) {
    if (!canPrompt(call.app, call.common)) throw missing;
    chosen.file.validateFlags?.(call, problems);
    problems.throwIfAny(helpOf(chosen.command));
  } else {
    const why = whyNoPrompt(call.app, call.common);
    if (why !== undefined) problems.add("-i", `prompts for values, but ${why}; specify them as flags`);
  }
  if (problems.found.length > 0) return call;
  return await withInterview(missing ? await withMissing(call, line) : call, line);
}

async function withMissing(call: Call, { chosen, missing }: ParsedCommand): Promise<Call> {
  const { app, common } = call;
  const { sends } = chosen.file;
  const readsJournal = sends === "journal" && readEnv(app.env, "RELAYCTL_JOURNAL") === undefined;
  // Nobody should type a value that cannot be used.
  if (common.context === undefined && (sendsRequest(sends) || readsJournal)) await readSettings(app, common);
  await askArguments(call, chosen.file);
  const completed = call.entered.current();
  if (!completed) throw missing;
  return await retypeAnswers(call, completed);
}

async function withInterview(call: Call, { chosen: { file, command } }: ParsedCommand): Promise<Call | undefined> {
  if (!file.interview) return call;
  const typed = new Problems();
  const before = call.entered.current();
  const isLeft = await typed.gather(() => file.interview?.(call));
  if (typed.found.length > 0) return call;
  if (isLeft === false) return undefined;
  const completed = call.entered.current();
  return completed === before || !completed ? call : await retypeAnswers(call, withoutQuestions(completed, command));
}

async function retypeAnswers(call: Call, argv: readonly string[]): Promise<Call> {
  const parsed = await parseArgv(argv);
  if (parsed.kind === "text") throw new Error("the prompts turned a command into a text");
  const { chosen, missing, problems } = parsed;
  if (missing) throw missing;
  if (problems.length > 0) throw usageError(problems);
  call.entered.replace(argv);
  return { ...call, argv, args: chosen.args, flags: chosen.flags };
}

/** Removes `-i`, even from combined letters: `-vi`. */
function withoutQuestions(argv: readonly string[], command: CommandSyntax): string[] {
  const known = flagsOf(command);
  const end = argv.indexOf("--");
  const at = end < 0 ? argv.length : end;
  const flags = argv.slice(0, at).flatMap((word) => withoutInteractive(word, known));
  return [...flags, ...argv.slice(at)];
}

function withoutInteractive(word: string, flags: readonly Flag[]): string[] {
  if (word === "-i" || word === "--interactive") return [];
  const hasValue = (letter: string) => flags.some(({ short, takesValue }) => takesValue && short === `-${letter}`);
  const letters = /^-([a-z]+)$/i.exec(word)?.[1] ?? "";
  const at = letters.indexOf("i");
  const isFlag = at >= 0 && ![...letters.slice(0, at)].some(hasValue);
  return [isFlag ? `-${letters.slice(0, at)}${letters.slice(at + 1)}` : word];
}

function flagsOf(command: CommandSyntax | undefined): Flag[] {
  return command ? [...command.flags, ...flagsOf(command.parent)] : [];
}

async function askArguments(call: Call, { args = [], readsFirst }: AnyCommand): Promise<void> {
  const answers: string[] = [];
  // A dry run sends no requests, not even for a list of choices.
  const mayList = dryRunReach(call, commandAppliesTo(readsFirst, call)) !== "nothing";
  const flags: Record<string, unknown> = { ...call.flags };
  // A transaction's ID without its relayer is known to be a relayer's.
  const isOpen = ({ unlessFound: _, ...argument }: Argument) =>
    argument.name.startsWith("<") && !isReplaced(argument, flags, call.args);
  for (const argument of args.slice(call.args.length).filter(isOpen)) {
    const sofar = { ...call, args: [...call.args, ...answers] };
    const listed = mayList ? await argument.choices?.(sofar) : undefined;
    const words = argument.words?.map((word) => ({ value: word, name: word }));
    const answer = await askArgument(sofar, argument, words ?? listed);
    answers.push(answer);
    call.entered.addArgument(answer);
  }
}

async function askArgument(call: Call, argument: Argument, choices: Choices): Promise<string> {
  const { noun = argument.name.replace(/[<>.]/g, "") } = argument;
  const question = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}:`;
  if (choices?.length === 0) throw new RelayctlError("not_found", `no ${noun} to choose from`);
  const prompts = await call.app.prompts();
  if (choices) return await prompts.search(question, choices);
  return await prompts.text(question, { validate: (answer) => validAnswer(answer, argument) });
}

type Choices = Awaited<ReturnType<NonNullable<Argument["choices"]>>>;

function validAnswer(answer: string, { description, problem }: Argument): true | string {
  if (answer === "") return `enter a value: ${description}`;
  if (answer === "-") return "stdin is this terminal; enter a value";
  return problem?.(answer) ?? true;
}
