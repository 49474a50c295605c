import { type ColorEnvironment, hasPlainLines } from "./capabilities.ts";
import { escapeText } from "./escape.ts";

/** Terminals with notifications, by their variable, and their code. */
const NOTIFYING: readonly (readonly [variable: string, known: RegExp, code: "9" | "777"])[] = [
  ["TERM_PROGRAM", /^(?:iTerm\.app|WezTerm|ghostty)$/i, "9"],
  ["TERM", /^(?:xterm-kitty|xterm-ghostty|foot|wezterm)/, "9"],
  ["TERM", /^rxvt-unicode/, "777"],
  ["KONSOLE_VERSION", /./, "777"],
  ["VTE_VERSION", /./, "777"],
];
const LONGEST = 200;

/** Rings the bell, and shows a notification if the terminal has them: OSC 9, or OSC 777. */
export function notificationCodes(env: ColorEnvironment, text: string): string {
  // tmux and screen only pass on the bell, and have the variables of the terminal that they were started in.
  const hasBellAlone = hasPlainLines(env) || Boolean(env.TMUX || env.STY);
  const [, , code] = (!hasBellAlone && NOTIFYING.find(([name, known]) => known.test(env[name] ?? ""))) || [];
  // A title ends at a semicolon, and nothing but the text of OSC 9 may begin with a digit.
  const shown = escapeText(text).slice(0, LONGEST);
  if (code === "9") return `\u0007\u001b]9;relayctl: ${shown}\u001b\\`;
  return code === "777" ? `\u0007\u001b]777;notify;relayctl;${shown.replaceAll(";", ",")}\u001b\\` : "\u0007";
}
