import { visible } from "../escape.ts";

/** The look of every question: no colour, no symbols, the suggestion in square brackets. */
export const plainTheme = {
  prefix: "?",
  keywords: { yes: "yes", no: "no", error: () => "answer y or n" },
  style: {
    answer: visible,
    message: (text: string) => text,
    error: (text: string) => `  ${text}`,
    defaultAnswer: (text: string) => `[${visible(text)}]`,
    help: (text: string) => text,
    maskedText: "",
  },
};
