import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { groupDigits } from "../../contract/decimal.ts";
import { cancelError } from "../../errors.ts";
import { escapeText } from "../escape.ts";
import type { Choice, Prompts, Validate } from "../prompts.ts";
import { matchChoices, type PromptContext, type PromptStreams, runPrompt, shownChoice } from "./run-prompt.ts";

const MOST_LISTED = 20;

/** Selects from a list by number; a long list is first filtered. A hidden number is rejected as a guess. */
function askOne<T>(asker: Asker, question: string, choices: readonly Choice<T>[], chosen?: T): Promise<T> {
  const isLong = choices.length > MOST_LISTED;
  const now = choices.findIndex(({ value }) => value === chosen);
  const suggested = isLong ? choices[now]?.name : String(now + 1);
  const asked = `${question} number${isLong ? " or part of a name" : ""}${now >= 0 ? ` [${suggested}]` : ""}`;
  let shown = sayChoices(asker, choices);
  return untilValid(asker, asked, (typed) => {
    if (typed === "" && now >= 0) return readOne(choices, String(now + 1));
    if (!isLong || typed === "" || isNumberOf(shown, typed)) return readOne(shown, typed);
    const found = matchChoices(choices, typed);
    if (found.length === 0) return { again: "nothing matches" };
    shown = sayChoices(asker, found);
    return { again: `${groupDigits(found.length)} of ${groupDigits(choices.length)} match` };
  });
}

/** Selects any of a list by their numbers. The list is printed whole, so that all choices are visible. */
function askSeveral<T>(asker: Asker, question: string, choices: readonly Choice<T>[]): Promise<T[]> {
  sayChoices(asker, choices, choices.length);
  return untilValid(asker, `${question} numbers, or nothing`, (typed) => numbersIn(choices, typed));
}

function sayChoices<T>({ say }: Asker, choices: readonly Choice<T>[], most = MOST_LISTED): readonly Choice<T>[] {
  const shown = choices.slice(0, most);
  const width = String(shown.length).length;
  for (const [index, choice] of shown.entries()) {
    const { name, description, disabled } = shownChoice(choice);
    const number = String(index + 1).padStart(width);
    say([`  ${number}`, name, description, disabled].filter((part) => part !== undefined).join("  "));
  }
  if (choices.length > shown.length) say(`  and ${groupDigits(choices.length - shown.length)} more`);
  return shown;
}

function isNumberOf({ length }: readonly unknown[], typed: string): boolean {
  return /^[1-9]\d*$/.test(typed) && Number(typed) <= length;
}

function readOne<T>(choices: readonly Choice<T>[], typed: string): Read<T> {
  const read = numbersIn(choices, typed);
  if ("again" in read) return read;
  const [answer, ...more] = read.answer;
  return answer === undefined || more.length > 0 ? { again: `a number from 1 to ${choices.length}` } : { answer };
}

function numbersIn<T>(choices: readonly Choice<T>[], typed: string): Read<T[]> {
  const numbers = new Set(typed.split(/[\s,]+/).filter((word) => word !== ""));
  for (const number of numbers) {
    const choice = isNumberOf(choices, number) ? choices[Number(number) - 1] : undefined;
    if (!choice) return { again: `${number} is not a number from 1 to ${choices.length}` };
    if (choice.disabled !== undefined) return { again: `${number} cannot be selected now` };
  }
  return { answer: choices.filter((_, index) => numbers.has(String(index + 1))).map(({ value }) => value) };
}

/** Creates prompts in plain lines with numbered choices, for screen readers and terminals without escape sequences. */
export function createPlainPrompts(streams: PromptStreams): Prompts {
  const asker: Asker = {
    ask: (question, options) =>
      runPrompt(
        streams,
        (context) =>
          lineAfter(`? ${escapeText(question)}`, context, createInterface({ input: context.input, terminal: false })),
        options,
      ),
    say: (line) => void streams.output.write(`${line}\n`),
  };
  return {
    confirm: (question) => untilValid(asker, `${question} [y/N]`, yesOrNo, { isConsent: true }),
    text: (question, { default: suggestion = "", validate, isConsent } = {}) =>
      untilValid(
        asker,
        suggestion === "" ? question : `${question} [${suggestion}]`,
        (typed) => readValid(typed === "" ? suggestion : typed, validate),
        { isConsent },
      ),
    hidden: (question, { validate } = {}) =>
      untilValid(
        { ...asker, ask: (question) => askHiddenLine(streams, `? ${escapeText(question)}`) },
        question,
        (typed) => readValid(typed, validate),
      ),
    select: (question, choices, options = {}) => askOne(asker, question, choices, options.default),
    search: (question, choices) => askOne(asker, question, choices),
    checkbox: (question, choices) => askSeveral(asker, question, choices),
  };
}

async function readValid(answer: string, validate: Validate | undefined): Promise<Read<string>> {
  const verdict = (await validate?.(answer)) ?? true;
  return verdict === true ? { answer } : { again: verdict };
}

function yesOrNo(typed: string): Read<boolean> {
  if (/^y(es)?$/i.test(typed)) return { answer: true };
  return /^(no?)?$/i.test(typed) ? { answer: false } : { again: "enter y or n" };
}

function askHiddenLine(streams: PromptStreams, question: string): Promise<string> {
  return runPrompt(streams, async (context) => {
    const unseen = createInterface({ input: context.input, output: NOWHERE, terminal: true });
    const answer = await lineAfter(question, context, unseen);
    context.output.write("\n");
    return answer;
  });
}

const NOWHERE = new Writable({ write: (_chunk, _encoding, done) => done() });

function lineAfter(question: string, { output, signal }: PromptContext, lines: ReturnType<typeof createInterface>) {
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("SIGINT", () => reject(cancelError("interrupted")));
    signal.addEventListener("abort", () => reject(cancelError()));
    if (signal.aborted) reject(cancelError());
    else output.write(`${question} `);
  }).finally(() => lines.close());
}

type Read<T> = { answer: T } | { again: string };

type ConsentOption = Parameters<typeof runPrompt>[2];

interface Asker {
  ask(question: string, options?: ConsentOption): Promise<string>;
  say(line: string): void;
}

async function untilValid<T>(
  { ask, say }: Asker,
  question: string,
  read: (typed: string) => Read<T> | Promise<Read<T>>,
  options?: ConsentOption,
): Promise<T> {
  for (;;) {
    const result = await read(await ask(question, options));
    if ("answer" in result) return result.answer;
    say(`  ${escapeText(result.again)}`);
  }
}
