import type { Prompts } from "../../terminal/prompts.ts";
import type { Call } from "../call.ts";

export interface TextQuestion {
  question: string;
  suggestion?: string | undefined;
  /** Set if Enter skips the prompt. */
  optional?: boolean;
  example: string;
  problem(answer: string): string | undefined | Promise<string | undefined>;
  conflict?(answer: string): Promise<string | undefined>;
}

export async function askText(prompts: Prompts, textQuestion: TextQuestion): Promise<string | undefined> {
  const { question, suggestion, optional, example, problem, conflict } = textQuestion;
  const validate = async (answer: string) => {
    if (answer === "" && optional) return true;
    const rule = answer === "" ? "enter a value" : await problem(answer);
    if (rule !== undefined) return withExample(rule, example);
    return (await conflict?.(answer)) ?? true;
  };
  const answer = await prompts.text(question, { validate, ...(suggestion !== undefined && { default: suggestion }) });
  return answer === "" ? undefined : answer;
}

/** Returns a flag and its value as words, or as one word if the value looks like a flag; empty without a value. */
export function flagWords(flag: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") && value !== "-" ? [`${flag}=${value}`] : [flag, value];
}

export interface FlagQuestion extends TextQuestion {
  flag: string;
}

export async function askFlags(
  { app, entered }: Pick<Call, "app" | "entered">,
  questions: readonly FlagQuestion[],
): Promise<void> {
  const prompts = await app.prompts();
  for (const question of questions) entered.add(flagWords(question.flag, await askText(prompts, question)));
}

/** Returns a broken rule with an example, unless it suggests a value itself. */
export function withExample(rule: string, example: string): string {
  return /e\.g\.|^the coin of |no unit: did you mean|\?\)?$/.test(rule) ? rule : `${rule}, e.g. ${example}`;
}
