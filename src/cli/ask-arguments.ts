import type { Call } from "../command-support/call.ts";
import { reachOf } from "../command-support/shown.ts";
import { type AnyCommand, type Argument, isReplaced, isSo } from "../commands/command.ts";
import { RelayctlError } from "../errors.ts";

/** Prompts for each required argument that was not typed, in order. */
export async function askArguments(call: Call, { args = [], readsFirst }: AnyCommand): Promise<void> {
  const answers: string[] = [];
  // A dry run sends no requests, not even for a list of choices.
  const mayList = reachOf(call, isSo(readsFirst, call)) !== "nothing";
  const flags: Record<string, unknown> = { ...call.flags };
  const isOpen = (argument: Argument) => isRequired(argument.name) && !isReplaced(argument, flags, call.args);
  for (const argument of args.slice(call.args.length).filter(isOpen)) {
    const sofar = { ...call, args: [...call.args, ...answers] };
    const listed = mayList ? await argument.choices?.(sofar) : undefined;
    const words = argument.words?.map((word) => ({ value: word, name: word }));
    const answer = await askArgument(sofar, argument, words ?? listed);
    answers.push(answer);
    call.entered.addArgument(answer);
  }
}

function isRequired(name: string): boolean {
  return name.startsWith("<");
}

/** Returns a choice from the existing resources, or typed input. */
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
