import { shown } from "./choices.ts";

/** The theme of every prompt: no color, no symbols that a font may lack, the default in square brackets. */
export const plainTheme = {
  prefix: "?",
  spinner: { interval: 1000, frames: ["?"] },
  keywords: { yes: "yes", no: "no", error: () => "enter y or n" },
  style: {
    answer: shown,
    message: (text: string) => text,
    error: (text: string) => `  ${text}`,
    defaultAnswer: (text: string) => `[${shown(text)}]`,
    help: (text: string) => text,
    maskedText: "",
  },
};

const listStyle = {
  ...plainTheme.style,
  highlight: (text: string) => text,
  description: (text: string) => `  ${text}`,
  disabled: (text: string) => text,
};
const disabledError = "this entry cannot be selected now";

/** The theme of a list with one selection. */
export const selectTheme = {
  ...plainTheme,
  icon: { cursor: ">" },
  i18n: { disabledError },
  style: { ...listStyle, keysHelpTip: () => "  ↑/↓ move · enter select" },
};

/** The theme of a list that typing filters. */
export const searchTheme = {
  ...plainTheme,
  icon: { cursor: ">" },
  style: {
    ...listStyle,
    disabled: (text: string) => `- ${text}`,
    searchTerm: shown,
    error: () => "  nothing matches",
    keysHelpTip: () => "  type to filter · ↑/↓ move · enter select",
  },
};

/** The theme of a list with several selections. */
export const checkboxTheme = {
  ...plainTheme,
  icon: { cursor: ">", checked: " [x]", unchecked: " [ ]", disabledChecked: " [x]", disabledUnchecked: "  - " },
  i18n: { disabledError },
  style: { ...listStyle, keysHelpTip: () => "  ↑/↓ move · space select · enter confirm" },
};
