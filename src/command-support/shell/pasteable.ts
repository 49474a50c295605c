import type { App } from "../../app.ts";
import { shellOf } from "./shell-of.ts";
import { spelled } from "./spelled.ts";

/** A command to paste, or why there is none. */
export type Pasteable = { line: string } | { because: string };

/** The longest line that every system can pass to a program. */
const LONGEST = 30_000;

/** Returns `relayctl` with exactly these arguments, for the user's shell. */
export function pasteable(argv: readonly string[], { env, secrets }: Pick<App, "env" | "secrets">): Pasteable {
  const shell = shellOf(env);
  // A secret must not appear in another spelling, and a redacted word is another value.
  if (argv.some((word) => secrets.redact(word) !== word)) return { because: "an old value holds a secret" };
  const words = ["relayctl", ...argv].map((word) => spelled(word, shell));
  if (!words.every((word) => word !== undefined)) return { because: unwritable(argv, shell) };
  const line = words.join(" ");
  if (line.length > LONGEST) return { because: `the command would be ${line.length} characters long` };
  return secrets.redact(line) === line ? { line } : { because: "an old value holds a secret" };
}

function unwritable(argv: readonly string[], shell: string): string {
  if (argv.some((word) => spelled(word, "bash") === undefined)) return "an old value cannot be part of a command";
  return `an old value cannot be typed in ${shell === "other" ? "this shell" : shell}; use bash or zsh`;
}
