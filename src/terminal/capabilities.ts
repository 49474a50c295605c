export type ColorChoice = "auto" | "always" | "never";

export type ColorEnvironment = Readonly<Record<string, string | undefined>>;

/** Reads `--color`, `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb`, then the terminal. Empty is unset. */
export function hasColor(env: ColorEnvironment, choice: ColorChoice, isTerminal: boolean): boolean {
  if (choice !== "auto") return choice === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && !isOff(env.CLICOLOR_FORCE)) return true;
  return isTerminal && env.TERM !== "dumb";
}

function isOff(value: string): boolean {
  return value === "0" || value === "false";
}

/** Returns whether a terminal gets plain lines: for screen readers (`RELAYCTL_ACCESSIBLE`, `ACCESSIBLE`), or `TERM=dumb`. */
export function hasPlainLines(env: ColorEnvironment): boolean {
  return Boolean(env.RELAYCTL_ACCESSIBLE || env.ACCESSIBLE) || env.TERM === "dumb";
}

/** Terminals with links, by their variable. */
const LINKING: readonly (readonly [string, RegExp])[] = [
  ["TERM_PROGRAM", /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|WarpTerminal|zed|tmux|rio|Tabby)$/i],
  ["TERM", /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/],
  ["WT_SESSION", /./],
  ["KONSOLE_VERSION", /./],
  ["DOMTERM", /./],
  // VTE shows links since 0.50.
  ["VTE_VERSION", /^(?:[5-9][0-9]{3}|[0-9]{5,})$/],
];

/** Returns whether a stream gets links (OSC 8): by `FORCE_HYPERLINK` (`0`: no), or its terminal. */
export function hasLinks(env: ColorEnvironment, isTerminal: boolean): boolean {
  if (!isTerminal || hasPlainLines(env)) return false;
  if (env.FORCE_HYPERLINK) return !isOff(env.FORCE_HYPERLINK);
  return LINKING.some(([name, known]) => known.test(env[name] ?? ""));
}

/** Set by Windows terminals except its old console, whose fonts lack icons. */
const UNICODE_CONSOLES = ["WT_SESSION", "TERM_PROGRAM", "TERM", "ConEmuTask"];

/** Returns whether signs beyond ASCII can be shown, by the locale, or the console's font on Windows. */
export function hasUnicode(env: ColorEnvironment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return env.OS !== "Windows_NT" || UNICODE_CONSOLES.some((name) => env[name]);
}
