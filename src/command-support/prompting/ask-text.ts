import type { Prompts } from "../../terminal/prompts.ts";

/** A question whose answer is a text that keeps a rule. */
export interface TextQuestion {
  question: string;
  /** What enter answers. */
  suggestion?: string | undefined;
  /** Enter leaves the answer out. */
  optional?: boolean;
  /** For a refusal. */
  example: string;
  /** The rule that an answer breaks, or nothing. */
  problem(answer: string): string | undefined | Promise<string | undefined>;
  /** What else stands in the way of an answer that keeps its rule, or nothing. */
  conflict?(answer: string): Promise<string | undefined>;
}

/** Asks until the answer keeps its rule; nothing when it is left out. */
export async function askText(prompts: Prompts, asked: TextQuestion): Promise<string | undefined> {
  const { question, suggestion, optional, example, problem, conflict } = asked;
  const validate = async (answer: string) => {
    if (answer === "" && optional) return true;
    const rule = answer === "" ? "enter a value" : await problem(answer);
    if (rule !== undefined) return /e\.g\./.test(rule) || rule.endsWith("?") ? rule : `${rule}, e.g. ${example}`;
    return (await conflict?.(answer)) ?? true;
  };
  const answer = await prompts.text(question, { validate, ...(suggestion !== undefined && { default: suggestion }) });
  return answer === "" ? undefined : answer;
}

/** A flag and its value as words of a command line, in one word where the value could be taken for a flag itself; none without a value. */
export function flagWords(flag: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") && value !== "-" ? [`${flag}=${value}`] : [flag, value];
}

/** A question whose answer is the value of a flag. */
export interface FlagQuestion extends TextQuestion {
  flag: string;
}

/** Asks each in its order. @returns the flags and their values as words of a command line */
export async function askFlags(prompts: Prompts, questions: readonly FlagQuestion[]): Promise<string[]> {
  const words: string[] = [];
  for (const question of questions) words.push(...flagWords(question.flag, await askText(prompts, question)));
  return words;
}
