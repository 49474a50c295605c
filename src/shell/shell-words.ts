import { inQuotes } from "../shell-quotes.ts";
import { spelledAlike } from "./spelled.ts";

export function shellWord(word: string): string {
  return spelledAlike(word);
}

/** Returns a text in quotes that hide nothing, even if it needs none. */
export function quoted(text: string): string {
  const word = inQuotes(text);
  return word === text ? `'${text}'` : word;
}

/** Returns a `relayctl` command for a shell; words that look like short flags come last, after `--`. */
export function commandLine(...argv: readonly string[]): string {
  return ["relayctl", ...withEndOfFlags(argv)].map(shellWord).join(" ");
}

/** Target flags, which come first with their values. */
const TARGET = /^(?:-c|--server|--token-file|--header|--ca-file|--cert|--key|--key-passphrase-file)$/;

/** Inserts `--`. Printed commands have long flags, except the target flags. */
function withEndOfFlags(argv: readonly string[]): readonly string[] {
  if (argv.includes("--")) return argv;
  const start = argv.findIndex((word, index) => !word.startsWith("-") && !TARGET.test(argv[index - 1] ?? ""));
  const isArgument = (word: string, index: number) => index > start && /^-(?!-[a-z]|$)/.test(word);
  const args = argv.filter(isArgument);
  if (args.length === 0 || start < 0) return argv;
  return [...argv.filter((word, index) => !isArgument(word, index)), "--", ...args];
}

export function historyCommand(state: string | undefined, flags: readonly string[], words: readonly string[]): string {
  return `${state === undefined ? "" : `RELAYCTL_JOURNAL=${shellWord(state)} `}${commandLine(...flags, ...words)}`;
}
