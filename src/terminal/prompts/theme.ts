import { withContext } from "../message.ts";
import type { Style } from "../style.ts";
import { shown } from "./choices.ts";

/** What a question is drawn with. */
export interface QuestionDrawing {
  style: Style;
  /** The name of a protected context, which stands out. */
  context?: string | undefined;
}

/** Returns the theme of every prompt: no symbols that a font may lack, the default in square brackets. */
export function plainTheme({ style, context }: QuestionDrawing) {
  const mark = style.asking("?");
  return {
    prefix: mark,
    spinner: { interval: 1000, frames: [mark] },
    keywords: { yes: "yes", no: "no", error: () => "enter y or n" },
    style: {
      answer: shown,
      message: (text: string) => withContext(text, context, style),
      error: (text: string) => `  ${text}`,
      defaultAnswer: (text: string) => `[${shown(text)}]`,
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

/** Returns the theme of a list with one selection. */
export function selectTheme(drawing: QuestionDrawing) {
  return { ...listTheme(drawing, "↑/↓ move · enter select"), icon: { cursor: ">" }, i18n: { disabledError } };
}

/** Returns the theme of a list that typing filters. */
export function searchTheme(drawing: QuestionDrawing) {
  const list = listTheme(drawing, "type to filter · ↑/↓ move · enter select");
  return {
    ...list,
    icon: { cursor: ">" },
    style: {
      ...list.style,
      disabled: (text: string) => `- ${text}`,
      searchTerm: shown,
      error: () => "  nothing matches",
    },
  };
}

/** Returns the theme of a list with several selections. */
export function checkboxTheme(drawing: QuestionDrawing) {
  return {
    ...listTheme(drawing, "↑/↓ move · space select · enter confirm"),
    icon: { cursor: ">", checked: " [x]", unchecked: " [ ]", disabledChecked: " [x]", disabledUnchecked: "  - " },
    i18n: { disabledError },
  };
}
