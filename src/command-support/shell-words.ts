import { inQuotes, spelled } from "./shell/spelled.ts";

/** A word as bash and zsh read it back, and where nothing in it is hidden also every other shell of POSIX, and fish. */
export function shellWord(word: string): string {
  return spelled(word, "bash") ?? "''";
}

/** A text in which nothing is hidden in quotes, also where it could do without. */
export function quoted(text: string): string {
  const word = inQuotes(text);
  return word === text ? `'${text}'` : word;
}

/** `relayctl` with these arguments, to be pasted into a shell. An operand that looks like a short flag comes last, after `--`. */
export function commandLine(...argv: readonly string[]): string {
  return ["relayctl", ...withEndOfFlags(argv)].map(shellWord).join(" ");
}

/** Flags that come first, with their values: where to. */
const TARGET = /^(?:-c|--server|--token-file|--ca-file)$/;

/** The flags of printed commands are long ones, except those that come first. */
function withEndOfFlags(argv: readonly string[]): readonly string[] {
  const start = argv.findIndex((word, index) => !word.startsWith("-") && !TARGET.test(argv[index - 1] ?? ""));
  const isArgument = (word: string, index: number) => index > start && /^-(?!-[a-z]|$)/.test(word);
  const args = argv.filter(isArgument);
  if (args.length === 0 || start < 0) return argv;
  return [...argv.filter((word, index) => !isArgument(word, index)), "--", ...args];
}
