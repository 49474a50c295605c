import { checkbox, confirm, input, password, search, select } from "@inquirer/prompts";
import type { Prompts, Validate } from "../prompts.ts";
import { narrowed, shown, shownChoice } from "./choices.ts";
import { type PromptStreams, settled } from "./settled.ts";
import { checkboxTheme, plainTheme, type QuestionDrawing, searchTheme, selectTheme } from "./theme.ts";

/**
 * Creates prompts at a terminal with @inquirer/prompts. They are written to the given output, stderr, and every text in
 * them is escaped: a name from the service cannot fake a line.
 */
export function createPrompts(streams: PromptStreams, drawing: QuestionDrawing): Prompts {
  const theme = plainTheme(drawing);
  return {
    confirm: (question) =>
      settled(streams, (context) => confirm({ message: shown(question), default: false, theme }, context)),
    text: (question, { default: suggestion, validate, shown: shownInput = shown } = {}) =>
      settled(streams, (context) =>
        input(
          {
            message: shown(question),
            theme,
            transformer: (answer, { isFinal }) => (isFinal ? shown(shownInput(answer)) : answer),
            ...(suggestion !== undefined && { default: suggestion }),
            ...visibly(validate),
          },
          context,
        ),
      ),
    hidden: (question, { validate } = {}) =>
      settled(streams, (context) =>
        password({ message: shown(question), toggleMask: false, theme, ...visibly(validate) }, context),
      ),
    ...choosing(streams, drawing),
  };
}

/** Returns a list size that leaves room for the question and for the text below the list; lists do not loop. */
function page({ output }: PromptStreams): { pageSize: number; loop: boolean } {
  const rows = "rows" in output && typeof output.rows === "number" ? output.rows : 24;
  return { pageSize: Math.max(3, Math.min(20, rows - 8)), loop: false };
}

function choosing(streams: PromptStreams, drawing: QuestionDrawing): Pick<Prompts, "select" | "search" | "checkbox"> {
  return {
    select: (question, choices, options = {}) =>
      settled(streams, (context) =>
        select(
          {
            message: shown(question),
            choices: choices.map(shownChoice),
            theme: selectTheme(drawing),
            ...page(streams),
            ...options,
          },
          context,
        ),
      ),
    search: (question, choices) =>
      settled(streams, (context) =>
        search(
          {
            message: shown(question),
            source: (typed = "") => narrowed(choices, typed).map(shownChoice),
            theme: searchTheme(drawing),
            pageSize: page(streams).pageSize,
          },
          context,
        ),
      ),
    checkbox: (question, choices) =>
      settled(streams, (context) =>
        checkbox(
          {
            message: shown(question),
            choices: choices.map(shownChoice),
            theme: checkboxTheme(drawing),
            shortcuts: { all: null, invert: null },
            ...page(streams),
          },
          context,
        ),
      ),
  };
}

/** Returns a validation whose reasons are escaped. */
function visibly(validate: Validate | undefined) {
  return (
    validate && {
      validate: async (answer: string) => {
        const verdict = await validate(answer);
        return verdict === true ? true : shown(verdict);
      },
    }
  );
}
