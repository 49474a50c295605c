import type { App } from "../../app.ts";
import type { Prompts } from "../../terminal/prompts.ts";
import type { CommonFlags } from "../common-flags.ts";

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
    const rule = answer === "" ? NOTHING_ENTERED : await problem(answer);
    if (rule !== undefined) return withExample(rule, example);
    return (await conflict?.(answer)) ?? true;
  };
  const answer = await prompts.text(question, { validate, ...(suggestion !== undefined && { default: suggestion }) });
  return answer === "" ? undefined : answer;
}

/** Returns a flag and its value as words, or one word if the value looks like a flag; empty without a value. */
export function flagWords(flag: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") && value !== "-" ? [`${flag}=${value}`] : [flag, value];
}

export interface FlagQuestion extends TextQuestion {
  flag: string;
}

export async function promptForFlags(
  { app, entered }: { app: Pick<App, "prompts">; entered: EnteredLine },
  questions: readonly FlagQuestion[],
): Promise<void> {
  const prompts = await app.prompts();
  for (const question of questions) entered.add(flagWords(question.flag, await askText(prompts, question)));
}

const NOTHING_ENTERED = "enter a value";

/** Returns a broken rule with an example, unless it suggests a value itself; a label does not show an address. */
export function withExample(rule: string, example: string): string {
  if (example.startsWith("@") && rule !== NOTHING_ENTERED) return rule;
  return /e\.g\.|^the coin of |no unit: did you mean|\?\)?$/.test(rule) ? rule : `${rule}, e.g. ${example}`;
}

/** The line with input from prompts, which is printed if the command fails, so that no input is lost. */
export type EnteredLine = ReturnType<typeof createEnteredLine>;

interface Translation {
  argv: readonly string[];
  consent: readonly string[];
}

export function createEnteredLine(typed: readonly string[]) {
  let line: readonly string[] | undefined;
  let added: readonly string[] = [];
  let translated: Translation | undefined;
  /** Returns a function that replaces its previously added flags: a value grows while it is entered. */
  const growing = () => {
    const base = line;
    return (words: readonly string[]) => {
      line = words.length > 0 ? withFlags(base ?? typed, words) : base;
    };
  };
  return {
    /** Undefined until a prompt has added something. */
    current: () => (translated ? withFlags(translated.argv, added) : line),
    /** Returns a translated line's consent flags for a script. */
    consent: () => translated?.consent,
    growing,
    add(words: readonly string[]) {
      growing()(words);
      added = [...added, ...words];
    },
    addArgument(word: string) {
      line = withArgument(line ?? typed, word);
    },
    replace(argv: readonly string[]) {
      line = argv;
    },
    /** Sets a line without prompts for a command that always prompts; added flags are added to it, too. */
    translate(translation: Translation | undefined) {
      translated = translation;
    },
  };
}

function withFlags(argv: readonly string[], words: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const at = end < 0 ? argv.length : end;
  return [...argv.slice(0, at), ...words, ...argv.slice(at)];
}

function withArgument(argv: readonly string[], word: string): string[] {
  const needsEnd = !argv.includes("--") && word.startsWith("-");
  return [...argv, ...(needsEnd ? ["--"] : []), word];
}

interface Prompting extends Pick<App, "env"> {
  stdin: Pick<App["stdin"], "isTerminal">;
  stderr: Pick<App["stderr"], "isTerminal">;
}

/** Returns whether a terminal is attached, and no `--no-input`, `RELAYCTL_NO_INPUT`, or `CI` is set (promises 5). */
export function canPrompt(app: Prompting, common: Pick<CommonFlags, "input">): boolean {
  return whyNoPrompt(app, common) === undefined;
}

export function whyNoPrompt(app: Prompting, common: Pick<CommonFlags, "input">): string | undefined {
  if (common.input === false) return "--no-input rules out prompts";
  const variable = (["RELAYCTL_NO_INPUT", "CI"] as const).find((name) => app.env[name]);
  if (variable !== undefined) return `${variable} rules out prompts`;
  return app.stdin.isTerminal && app.stderr.isTerminal ? undefined : "no terminal is attached";
}

/** Returns the same prompts, each inside a wrapper, e.g. a paused clock. */
export function promptsWithin(prompts: Prompts, within: <T>(ask: () => Promise<T>) => Promise<T>): Prompts {
  return {
    confirm: (question) => within(() => prompts.confirm(question)),
    text: (question, options) => within(() => prompts.text(question, options)),
    hidden: (question, options) => within(() => prompts.hidden(question, options)),
    select: (question, choices, options) => within(() => prompts.select(question, choices, options)),
    search: (question, choices) => within(() => prompts.search(question, choices)),
    checkbox: (question, choices) => within(() => prompts.checkbox(question, choices)),
  };
}
