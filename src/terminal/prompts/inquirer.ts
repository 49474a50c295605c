import { confirm, input, password } from "@inquirer/prompts";
import { visible } from "../escape.ts";
import type { Prompts } from "../prompts.ts";
import { type PromptStreams, settled } from "./settled.ts";
import { plainTheme } from "./theme.ts";

/**
 * Questions at a terminal, by @inquirer/prompts. They are written to the output that is given, stderr, and every text in
 * them is escaped: a name from the service cannot fake a line of its own.
 */
export function createPrompts(streams: PromptStreams): Prompts {
  return {
    confirm: (question) =>
      settled(streams, (context) =>
        confirm({ message: visible(question), default: false, theme: plainTheme }, context),
      ),
    text: (question, { default: suggestion, validate } = {}) =>
      settled(streams, (context) =>
        input(
          {
            message: visible(question),
            theme: plainTheme,
            ...(suggestion !== undefined && { default: suggestion }),
            ...(validate && { validate: (answer: string) => visibleProblem(validate(answer)) }),
          },
          context,
        ),
      ),
    hidden: (question) =>
      settled(streams, (context) =>
        password({ message: visible(question), toggleMask: false, theme: plainTheme }, context),
      ),
  };
}

function visibleProblem(verdict: true | string): true | string {
  return verdict === true ? true : visible(verdict);
}
