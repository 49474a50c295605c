import type { Prompts } from "../terminal/prompts.ts";

/** A question whose answer is the value of a flag. */
export interface FlagQuestion {
  flag: string;
  question: string;
  /** What enter answers. */
  suggestion?: string | undefined;
  /** Enter leaves the flag out. */
  optional?: true;
  /** For a refusal. */
  example: string;
  /** The rule that an answer breaks, or nothing. */
  problem(answer: string): string | undefined | Promise<string | undefined>;
  /** What else stands in the way of an answer that keeps its rule, or nothing. */
  conflict?(answer: string): Promise<string | undefined>;
}

/** Asks until the answer keeps its rule, and gives it as words of a command line; none when the flag is left out. */
export async function askFlag(prompts: Prompts, asked: FlagQuestion): Promise<string[]> {
  const { flag, question, suggestion, optional, example, problem, conflict } = asked;
  const validate = async (answer: string) => {
    if (answer === "" && optional) return true;
    const rule = answer === "" ? "needs an answer" : await problem(answer);
    if (rule !== undefined) return `${rule}; for example ${example}`;
    return (await conflict?.(answer)) ?? true;
  };
  const answer = await prompts.text(question, { validate, ...(suggestion !== undefined && { default: suggestion }) });
  return answer === "" ? [] : flagWords(flag, answer);
}

/** A flag and its value, in one word where the value could be taken for a flag itself. */
export function flagWords(flag: string, value: string): string[] {
  return value.startsWith("-") && value !== "-" ? [`${flag}=${value}`] : [flag, value];
}
