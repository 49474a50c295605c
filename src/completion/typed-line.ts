import { commandByAlias } from "./aliases.ts";
import type { CommandWords, FlagWords, Words } from "./words.ts";

export interface TypedLine {
  /** The command so far; undefined after an unknown word. */
  command: CommandWords | undefined;
  helps: boolean;
  args: string[];
  flags: { flag: FlagWords; value?: string }[];
  waiting: FlagWords | undefined;
  /** The flag that takes further values. */
  open: FlagWords | undefined;
  /** Whether `--` was typed, after which nothing is a flag. */
  ended: boolean;
}

export function readTypedLine(typed: readonly string[], { program }: Words): TypedLine {
  const line: TypedLine = {
    command: program,
    helps: false,
    args: [],
    flags: [],
    waiting: undefined,
    open: undefined,
    ended: false,
  };
  for (const word of typed) readWord(line, word, program);
  return line;
}

export function flagsOfTypedLine(command: CommandWords, program: CommandWords): readonly FlagWords[] {
  if (command === program) return program.flags;
  const own = new Set(command.flags.flatMap(({ names }) => names));
  return [...command.flags, ...program.flags.filter(({ names }) => !names.some((name) => own.has(name)))];
}

function readWord(line: TypedLine, word: string, program: CommandWords): void {
  const { waiting, open, command } = line;
  const isFlag = !line.ended && word.startsWith("-") && word !== "-";
  if (waiting) {
    takeFlag(line, waiting, word);
    line.waiting = undefined;
    line.open = waiting.takesMany ? waiting : undefined;
  } else if (isFlag) {
    line.open = undefined;
    if (word === "--") line.ended = true;
    else readFlag(line, word, program);
  } else if (open) takeFlag(line, open, word);
  else if (line.ended) line.args.push(word);
  else if (command && command.commands.length > 0) readName(line, word, command, program);
  else line.args.push(word);
}

function readName(line: TypedLine, word: string, command: CommandWords, program: CommandWords): void {
  if (command === program && word === "help" && !line.helps) line.helps = true;
  else line.command = commandByAlias(command, word, program);
}

function readFlag(line: TypedLine, word: string, program: CommandWords): void {
  const known = line.command ? flagsOfTypedLine(line.command, program) : program.flags;
  const called = (name: string) => known.find(({ names }) => names.includes(name));
  if (word.startsWith("--")) {
    const [name = "", ...rest] = word.split("=");
    takeFlag(line, called(name), rest.length > 0 ? rest.join("=") : undefined);
    return;
  }
  const letters = [...word.slice(1)];
  const withValue = letters.findIndex((letter) => called(`-${letter}`)?.value !== undefined);
  const alone = withValue < 0 ? letters : letters.slice(0, withValue);
  for (const letter of alone) takeFlag(line, called(`-${letter}`), undefined);
  if (withValue < 0) return;
  const attached = letters.slice(withValue + 1).join("");
  takeFlag(line, called(`-${letters[withValue]}`), attached === "" ? undefined : attached);
}

function takeFlag(line: TypedLine, flag: FlagWords | undefined, value: string | undefined): void {
  if (!flag) return;
  if (flag.value === undefined || value !== undefined) line.flags.push({ flag, ...(value !== undefined && { value }) });
  else line.waiting = flag;
}

/** The flags that select target and identity: completion asks the same service as the line itself. */
const TARGET_FLAGS = [
  "--context",
  "--server",
  "--token-file",
  "--header",
  "--demo",
  "--ca-file",
  "--cert",
  "--key",
  "--key-passphrase-file",
  "--proxy",
  "--allow-http",
];

export function targetFlagsOfTypedLine({ flags }: TypedLine): string[] {
  return flags.flatMap(({ flag, value }) => {
    const name = flag.names.find((name) => TARGET_FLAGS.includes(name));
    if (name === undefined) return [];
    return [value === undefined ? name : `${name}=${value}`];
  });
}
