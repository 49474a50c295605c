import { checkbox, confirm, input, password, search, select } from "@inquirer/prompts";
import { messageWithContext } from "../message.ts";
import type { Prompts, Validate } from "../prompts.ts";
import { USUAL_COLUMNS, USUAL_ROWS } from "../streams/output.ts";
import type { Style } from "../style.ts";
import { textWidth } from "../width.ts";
import {
  matchChoices,
  type PromptStreams,
  promptInLines,
  runPrompt,
  shownChoice,
  shownPromptText,
} from "./run-prompt.ts";

export interface QuestionDrawing {
  style: Style;
  /** The name of a protected context, which stands out. */
  context?: string | undefined;
}

/** Returns the theme of every prompt: no symbols that a font may lack, the default in square brackets. */
function plainTheme({ style, context }: QuestionDrawing) {
  const mark = style.asking("?");
  return {
    prefix: mark,
    spinner: { interval: 1000, frames: [mark] },
    keywords: { yes: "yes", no: "no", error: () => "enter y or n" },
    style: {
      answer: shownPromptText,
      message: (text: string) => messageWithContext(text, context, style),
      error: (text: string) => `  ${text}`,
      defaultAnswer: (text: string) => `[${shownPromptText(text)}]`,
      help: (text: string) => text,
      maskedText: "",
    },
  };
}

function listTheme(drawing: QuestionDrawing, keys: string) {
  const plain = plainTheme(drawing);
  return {
    ...plain,
    style: {
      ...plain.style,
      highlight: (text: string) => text,
      description: (text: string) => `  ${text}`,
      disabled: (text: string) => text,
      keysHelpTip: () => `  ${keys}`,
    },
  };
}

const disabledError = "this entry cannot be selected now";

function searchTheme(drawing: QuestionDrawing) {
  const list = listTheme(drawing, "type to filter · ↑/↓ move · enter select");
  return {
    ...list,
    icon: { cursor: ">" },
    style: {
      ...list.style,
      disabled: (text: string) => `- ${text}`,
      searchTerm: shownPromptText,
      error: () => "  nothing matches",
    },
  };
}

function checkboxTheme(drawing: QuestionDrawing) {
  return {
    ...listTheme(drawing, "↑/↓ move · space select · enter confirm"),
    icon: { cursor: ">", checked: " [x]", unchecked: " [ ]", disabledChecked: " [x]", disabledUnchecked: "  - " },
    i18n: { disabledError },
  };
}

/** Creates prompts on stderr with @inquirer/prompts. Every text is escaped: a service's name can't fake a line. */
export function createPrompts(streams: PromptStreams, drawing: QuestionDrawing): Prompts {
  const theme = plainTheme(drawing);
  const asked = (question: string, after?: string) => promptMessage(question, promptColumns(streams), after);
  return {
    confirm: (question) =>
      runPrompt(streams, (context) => confirm({ message: asked(question, "[y/N]"), default: false, theme }, context), {
        isConsent: true,
      }),
    text: (question, { default: suggestion, validate, shown: shownInput = shownPromptText, isConsent } = {}) =>
      runPrompt(
        streams,
        (context) =>
          input(
            {
              message: asked(question, suggestion && `[${suggestion}]`),
              theme,
              transformer: (answer, { isFinal }) => (isFinal ? shownPromptText(shownInput(answer)) : answer),
              ...(suggestion !== undefined && { default: suggestion }),
              ...escapeRule(validate),
            },
            context,
          ),
        { isConsent },
      ),
    hidden: (question, { validate } = {}) =>
      runPrompt(streams, (context) =>
        password({ message: asked(question), toggleMask: false, theme, ...escapeRule(validate) }, context),
      ),
    ...choicePrompts(streams, drawing),
  };
}

const [MARK, CURSOR, BOX] = [2, 2, 6];

function promptColumns({ output }: PromptStreams): number {
  return "columns" in output ? Number(output.columns) || USUAL_COLUMNS : Number.POSITIVE_INFINITY;
}

function promptMessage(question: string, columns: number, after = ""): string {
  const text = shownPromptText(question);
  if (after === "") return promptInLines(text, columns, MARK);
  const room = "x".repeat(textWidth(shownPromptText(after)));
  return promptInLines(`${text} ${room}`, columns, MARK).slice(0, -room.length - 1);
}

function pageOptions({ output }: PromptStreams): { pageSize: number; loop: boolean } {
  const rows = "rows" in output ? Number(output.rows) || USUAL_ROWS : USUAL_ROWS;
  return { pageSize: Math.max(3, Math.min(20, rows - 8)), loop: false };
}

function choicePrompts(
  streams: PromptStreams,
  drawing: QuestionDrawing,
): Pick<Prompts, "select" | "search" | "checkbox"> {
  const columns = promptColumns(streams);
  const asked = (question: string) => promptMessage(question, columns);
  return {
    select: (question, choices, options = {}) =>
      runPrompt(streams, (context) =>
        select(
          {
            message: asked(question),
            choices: choices.map((choice) => shownChoice(choice, columns, CURSOR)),
            theme: { ...listTheme(drawing, "↑/↓ move · enter select"), icon: { cursor: ">" }, i18n: { disabledError } },
            ...pageOptions(streams),
            ...options,
          },
          context,
        ),
      ),
    search: (question, choices) =>
      runPrompt(streams, (context) =>
        search(
          {
            message: asked(question),
            source: (typed = "") => matchChoices(choices, typed).map((choice) => shownChoice(choice, columns, CURSOR)),
            theme: searchTheme(drawing),
            pageSize: pageOptions(streams).pageSize,
          },
          context,
        ),
      ),
    checkbox: (question, choices) =>
      runPrompt(streams, (context) =>
        checkbox(
          {
            message: asked(question),
            choices: choices.map((choice) => shownChoice(choice, columns, BOX)),
            theme: checkboxTheme(drawing),
            shortcuts: { all: null, invert: null },
            ...pageOptions(streams),
          },
          context,
        ),
      ),
  };
}

function escapeRule(validate: Validate | undefined) {
  return (
    validate && {
      validate: async (answer: string) => {
        const verdict = await validate(answer);
        return verdict === true ? true : shownPromptText(verdict);
      },
    }
  );
}
