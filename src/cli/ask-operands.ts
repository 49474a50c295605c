import type { AnyCommand } from "../commands/command.ts";
import type { Operand } from "../commands/operand.ts";
import { isSo } from "../commands/when.ts";
import { RelayctlError } from "../errors.ts";
import type { Call } from "../flow/call.ts";
import { reachOf } from "../flow/shown.ts";

/** Asks for each operand that is required and was not typed, in their order, and gives the answers. */
export async function askOperands(call: Call, { operands = [], readsFirst }: AnyCommand): Promise<string[]> {
  const answers: string[] = [];
  // A request that is only shown asks the service for nothing, for no list either.
  const mayList = reachOf(call, isSo(readsFirst, call)) !== "nothing";
  const flags: Record<string, unknown> = { ...call.flags };
  const isOpen = ({ name, unless = [] }: Operand) =>
    isRequired(name) && unless.every((flag) => flags[flag] === undefined);
  for (const operand of operands.slice(call.operands.length).filter(isOpen)) {
    const sofar = { ...call, operands: [...call.operands, ...answers] };
    const listed = mayList ? await operand.choices?.(sofar) : undefined;
    answers.push(
      await askOperand(sofar, operand, operand.words?.map((word) => ({ value: word, name: word })) ?? listed),
    );
  }
  return answers;
}

function isRequired(name: string): boolean {
  return name.startsWith("<");
}

/** Chosen from what there is, else typed. */
async function askOperand(call: Call, operand: Operand, choices: Choices): Promise<string> {
  const { noun = operand.name.replace(/[<>.]/g, "") } = operand;
  const question = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}:`;
  if (choices?.length === 0) throw new RelayctlError("not_found", `there is no ${noun} to choose`);
  const prompts = await call.app.prompts();
  if (choices) return await prompts.search(question, choices);
  return await prompts.text(question, { validate: (answer) => verdictOn(answer, operand) });
}

type Choices = Awaited<ReturnType<NonNullable<Operand["choices"]>>>;

function verdictOn(answer: string, { description, problem }: Operand): true | string {
  if (answer === "") return `enter a value: ${description}`;
  if (answer === "-") return "stdin is this terminal; enter a value";
  return problem?.(answer) ?? true;
}
