import type { Choice, Prompts, Validate } from "../../src/terminal/prompts.ts";

/**
 * What a user enters at a prompt: a choice by its name or its unique first words, or a list. An error rejects, like
 * Ctrl-C. A function says what happens while the question is open.
 */
export type ScriptedAnswer = string | boolean | readonly string[] | Error | (() => Promise<boolean>);

/** A mistake of the test: too few responses, or an unknown choice. */
export class ScriptMistake extends Error {}

/**
 * Prompts with these responses in order. A refused text takes the next response; the reason is among the questions.
 * `offered` has the choices.
 */
export function scriptedPrompts(
  answers: readonly ScriptedAnswer[],
  questions: string[],
  offered: (readonly string[])[] = [],
  mistakes: ScriptMistake[] = [],
): Prompts {
  const left = [...answers];
  const mistaken: Mistaken = (message) => {
    mistakes.push(new ScriptMistake(`${message}; asked so far:\n  ${questions.join("\n  ")}`));
    throw mistakes[0];
  };
  const answer = async (question: string) => {
    questions.push(question);
    const next = left.shift() ?? mistaken(`nobody told the test what to answer to: ${question}`);
    if (next instanceof Error) throw next;
    return typeof next === "function" ? await next() : next;
  };
  const chooseOne = async <T>(question: string, choices: readonly Choice<T>[]) => {
    offered.push(choices.map(({ name }) => name));
    return named(choices, String(await answer(question)), mistaken);
  };
  const accepted = async (question: string, validate: Validate | undefined, suggestion = "") => {
    for (;;) {
      const given = String(await answer(question)) || suggestion;
      const verdict = (await validate?.(given)) ?? true;
      if (verdict === true) return given;
      questions.push(`  ${verdict}`);
    }
  };
  return {
    confirm: async (question) => (await answer(question)) === true,
    text: (question, { default: suggestion = "", validate } = {}) => accepted(question, validate, suggestion),
    hidden: (question, { validate } = {}) => accepted(question, validate),
    select: chooseOne,
    search: chooseOne,
    checkbox: async (question, choices) => {
      const given = await answer(question);
      if (!Array.isArray(given)) return mistaken(`the test must answer with a list to: ${question}`);
      const marked = given.map((name: string) => named(choices, name, mistaken));
      return choices.map(({ value }) => value).filter((value) => marked.includes(value));
    },
  };
}

type Mistaken = (message: string) => never;

function named<T>(choices: readonly Choice<T>[], name: string, mistaken: Mistaken): T {
  const exact = choices.filter((choice) => choice.name === name);
  const begins = choices.filter((choice) => [" ", ":"].some((end) => choice.name.startsWith(name + end)));
  const found = exact.length > 0 ? exact : begins;
  const [choice] = found;
  if (!choice || found.length > 1) {
    const listed = choices.map((choice) => choice.name).join("\n  ");
    return mistaken(`${found.length} choices are called ${name}; there are\n  ${listed}\n`);
  }
  return choice.disabled ? mistaken(`${name} cannot be chosen: ${choice.disabled}`) : choice.value;
}
