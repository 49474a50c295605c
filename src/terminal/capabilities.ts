export type ColorChoice = "auto" | "always" | "never";

/** The variables that decide about color. */
export type ColorEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether a stream is colored: `--color` first, then `NO_COLOR`, `FORCE_COLOR` (`0` and `false` mean no),
 * `CLICOLOR_FORCE`, `TERM=dumb`, and finally whether it is a terminal. An empty variable counts as unset.
 */
export function colorEnabled(env: ColorEnvironment, choice: ColorChoice, isTerminal: boolean): boolean {
  if (choice !== "auto") return choice === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && !isOff(env.CLICOLOR_FORCE)) return true;
  return isTerminal && env.TERM !== "dumb";
}

function isOff(value: string): boolean {
  return value === "0" || value === "false";
}

/**
 * Returns whether a terminal gets plain lines only, without repainting and escape sequences: for a screen reader
 * (`RELAYCTL_ACCESSIBLE`), and with `TERM=dumb`.
 */
export function wantsPlainLines(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.RELAYCTL_ACCESSIBLE) || env.TERM === "dumb";
}
