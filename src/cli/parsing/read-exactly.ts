import type { ArgumentSyntax, CommandSyntax, Flag } from "../../commands/flags/syntax.ts";
import { FlagValues, type LineReading, type Stopped } from "./reading.ts";

/** Reads like commander, which loads slowly; undefined for its special cases: `--`, negative numbers, a late `help`. */
export function readExactly(program: CommandSyntax, words: readonly string[]): LineReading | undefined {
  if (words.some((word) => word === "--" || word === "help" || /^-[\d.]/.test(word))) return undefined;
  const values = new FlagValues();
  const read = readCommand(program, [], words, values);
  return read && { ...read, valuesOf: values.of, counts: values.counts };
}

/** Each command takes its flags anywhere, and leaves everything else to its subcommand. */
function readCommand(
  command: CommandSyntax,
  before: readonly string[],
  words: readonly string[],
  values: FlagValues,
): Pick<LineReading, "args" | "stopped"> | undefined {
  const left = takeFlags(command, words, values);
  if (!left) return undefined;
  const operands = [...before, ...left.operands];
  const args = [...operands, ...left.unknown];
  if (left.stopped) return { args, stopped: left.stopped };
  const [first, ...rest] = operands;
  const next = command.commands.find(({ name }) => name === first);
  if (next) return isLoaded(next) ? readCommand(next, rest, left.unknown, values) : undefined;
  const stopped = mistakeIn(command, operands, left.unknown);
  return { args, ...(stopped && { stopped }) };
}

function isLoaded({ args, commands }: CommandSyntax): boolean {
  return args !== undefined || commands.length > 0;
}

interface Left {
  operands: string[];
  /** Everything from the first foreign flag on. */
  unknown: string[];
  stopped?: Stopped | undefined;
  /** The flag that takes all words up to the next. */
  open?: Flag | undefined;
}

function takeFlags(command: CommandSyntax, words: readonly string[], values: FlagValues): Left | undefined {
  const left: Left = { operands: [], unknown: [] };
  const rest = words.values();
  for (const word of rest) {
    if (word.length < 2 || !word.startsWith("-")) takeWord(left, word, (flag) => values.add(command, flag, word));
    else {
      const taken = flagsIn(word, command.flags);
      if (!taken) return undefined;
      take(left, taken, rest, (flag, value) => {
        left.stopped = stoppedAt(flag, command, value);
        if (!left.stopped) values.add(command, flag, value);
      });
      if (left.stopped) return left;
    }
  }
  return left;
}

function takeWord({ open, unknown, operands }: Left, word: string, add: (flag: Flag) => void): void {
  if (open) add(open);
  else (unknown.length > 0 ? unknown : operands).push(word);
}

/** Adds flags in their order, up to a flag that stops; the last flag may have its value in the next word. */
function take(left: Left, taken: Taken, words: Iterator<string>, add: (flag: Flag, value?: string) => void): void {
  left.open = undefined;
  for (const { flag, value } of taken.found) {
    const waits = flag.takesValue && value === undefined;
    add(flag, waits ? words.next().value : value);
    if (left.stopped) return;
    if (waits && flag.takesMany) left.open = flag;
  }
  if (taken.rest !== undefined) left.unknown.push(taken.rest);
}

function stoppedAt(flag: Flag, { parent }: CommandSyntax, value: string | undefined): Stopped | undefined {
  if (flag.name === "version" && !parent) return { why: "version" };
  if (!flag.takesValue || value !== undefined) return undefined;
  return { why: "value", message: `option '${flag.flags}' argument missing` };
}

interface Taken {
  found: readonly { flag: Flag; value?: string }[];
  rest?: string;
}

function flagsIn(word: string, flags: readonly Flag[]): Taken | undefined {
  const called = (name: string) => flags.find(({ short, long }) => short === name || long === name);
  const whole = called(word);
  if (whole) return { found: [{ flag: whole }] };
  if (word.startsWith("--")) {
    const at = word.indexOf("=");
    const flag = at > 2 ? called(word.slice(0, at)) : undefined;
    return flag?.takesValue ? { found: [{ flag, value: word.slice(at + 1) }] } : { found: [], rest: word };
  }
  const flag = called(word.slice(0, 2));
  if (!flag) return { found: [], rest: word };
  if (flag.takesValue) return { found: [{ flag, value: word.slice(2) }] };
  const after = `-${word.slice(2)}`;
  const more = /^-[-\d.]/.test(after) ? undefined : flagsIn(after, flags);
  return more && { ...more, found: [{ flag }, ...more.found] };
}

function mistakeIn(
  command: CommandSyntax,
  operands: readonly string[],
  unknown: readonly string[],
): Stopped | undefined {
  const isNoun = command.args === undefined;
  const [first] = operands;
  if (isNoun && first === undefined && unknown.length === 0) return { why: "help", of: command, to: "err" };
  if (unknown.includes("-h") || unknown.includes("--help")) return { why: "help", of: command };
  if (isNoun && first !== undefined) return { why: "command", message: `unknown command '${first}'` };
  if (unknown[0] !== undefined) return { why: "flag", message: `unknown option '${unknown[0]}'` };
  const missing = command.args?.slice(operands.length).find(isRequired);
  return (
    missing && { why: "argument", message: `missing required argument '${missing.name.replaceAll(/[<>.]/g, "")}'` }
  );
}

/** A replaceable argument is checked once all flags are known. */
function isRequired({ name, unless, unlessFound }: ArgumentSyntax): boolean {
  return name.startsWith("<") && !unless && !unlessFound;
}
