import { visible } from "../escape.ts";
import type { Prompts, Validate } from "../prompts.ts";
import { type Asker, askHiddenLine, askLine, type Read, untilValid } from "./plain/line.ts";
import { askOne, askSeveral } from "./plain/numbered.ts";
import type { PromptStreams } from "./settled.ts";

/**
 * Creates the same prompts in plain lines: without repainting and escape sequences, and with choices selected by
 * number. For screen readers, and for terminals without escape sequences.
 */
export function createPlainPrompts(streams: PromptStreams): Prompts {
  const asker: Asker = {
    ask: (question) => askLine(streams, `? ${visible(question)}`),
    say: (line) => void streams.output.write(`${line}\n`),
  };
  return {
    confirm: (question) => untilValid(asker, `${question} [y/N]`, yesOrNo),
    text: (question, { default: suggestion = "", validate } = {}) =>
      untilValid(asker, suggestion === "" ? question : `${question} [${suggestion}]`, (typed) =>
        validated(typed === "" ? suggestion : typed, validate),
      ),
    hidden: (question, { validate } = {}) =>
      untilValid({ ...asker, ask: (question) => askHiddenLine(streams, `? ${visible(question)}`) }, question, (typed) =>
        validated(typed, validate),
      ),
    select: (question, choices, options = {}) => askOne(asker, question, choices, options.default),
    search: (question, choices) => askOne(asker, question, choices),
    checkbox: (question, choices) => askSeveral(asker, question, choices),
  };
}

async function validated(answer: string, validate: Validate | undefined): Promise<Read<string>> {
  const verdict = (await validate?.(answer)) ?? true;
  return verdict === true ? { answer } : { again: verdict };
}

function yesOrNo(typed: string): Read<boolean> {
  if (/^y(es)?$/i.test(typed)) return { answer: true };
  return /^(no?)?$/i.test(typed) ? { answer: false } : { again: "enter y or n" };
}
