import type { CommandSyntax } from "../commands/command.ts";
import { commandByAlias, commandsForAlias, DAILY } from "../completion/aliases.ts";
import type { CommandWords } from "../completion/words.ts";
import { firstNames } from "../contract/decimal.ts";
import { type Problem, RelayctlError, usageError } from "../errors.ts";
import { nearestName } from "../nearest.ts";
import { helpOf, namesInHelp } from "./help/help-of.ts";
import { argvWords } from "./parsing/argv.ts";
import type { AllWords } from "./parsing/command-source.ts";
import type { Mistake } from "./parsing/reading.ts";

const MOST_COMMANDS = 4;

async function unknownFlag(command: CommandSyntax, name: string, allWords: AllWords): Promise<RelayctlError> {
  const because = await adviceOn(command, name, allWords);
  return new RelayctlError("usage", `unknown option '${name}'`, { because, hint: helpOf(command) });
}

async function misplacedFlag(argv: readonly string[], program: CommandSyntax, allWords: AllWords) {
  const at = argv.findIndex((token) => token.startsWith("--") && !isCommon(token, program));
  const before = argvWords(argv.slice(0, at), program);
  // A command has at most two words.
  if (at < 0 || before.length > 1) return undefined;
  const { path, command } = commandIn([...before, ...argv.slice(at + 1)], (await allWords()).program);
  const [flag = ""] = (argv[at] ?? "").split("=");
  if (path.length <= before.length || !namesOfFlags(command.flags).includes(flag)) return undefined;
  const line = ["relayctl", ...path].join(" ");
  return new RelayctlError("usage", `option '${flag}' goes after the command`, {
    because: [`${line} ${flag} …`],
    hint: `${line} --help`,
  });
}

/** Returns the command whose words are among others. */
function commandIn(words: readonly string[], program: CommandWords) {
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    const next = commandByAlias(command, word, program);
    if (!next) continue;
    path.push(next.name);
    command = next;
  }
  return { path, command };
}

function isCommon(token: string, { flags }: CommandSyntax): boolean {
  const [name] = token.split("=");
  return name === "--help" || flags.some(({ long }) => long === name);
}

async function adviceOn(command: CommandSyntax, name: string, allWords: AllWords): Promise<string[]> {
  const { program, fields } = await allWords();
  const [noun = "", verb] = namesInHelp(command);
  const siblings = program.commands.filter((each) => each.name === noun);
  const own = siblings[0]?.commands.find((each) => each.name === verb) ?? siblings[0];
  const flags = namesOfFlags([...(own?.flags ?? []), ...program.flags]);
  if (flags.includes(name)) return [`write ${name} and its value as two words`];
  const others = program.commands.filter((each) => each.name !== noun);
  const takers = takersOf(name, [...siblings, ...others]);
  const elsewhere = takers.length === 0 ? [] : [`${name} is a flag of: ${firstNames(takers, MOST_COMMANDS)}`];
  const field = (fields[own?.resource ?? ""] ?? []).find((known) => `--${known.replaceAll("_", "-")}` === name);
  if (field !== undefined && flags.includes("--where")) return [`to filter by it, use --where ${field}`, ...elsewhere];
  const meant = nearestName(
    name.replace(/^-+/, ""),
    flags.flatMap((flag) => flag.split(/^--/)[1] ?? []),
  );
  const isOfSibling = takersOf(name, siblings).length > 0;
  return [...(meant === undefined || isOfSibling ? [] : [`did you mean --${meant}?`]), ...elsewhere];
}

function takersOf(name: string, nouns: readonly CommandWords[]): string[] {
  const leaves = nouns.flatMap((noun) =>
    noun.commands.length === 0
      ? [{ path: noun.name, flags: noun.flags }]
      : noun.commands.map((verb) => ({ path: `${noun.name} ${verb.name}`, flags: verb.flags })),
  );
  return leaves.filter(({ flags }) => namesOfFlags(flags).includes(name)).map(({ path }) => path);
}

function namesOfFlags(flags: CommandWords["flags"]): string[] {
  return flags.flatMap(({ names }) => names);
}

const UNKNOWN_OPTION = /^unknown option '(--[A-Za-z0-9-]*|-.)?.*'$/s;

/** Quotes an unknown word, but only the name of a flag, whose value may be secret. @param problems explain more */
export async function errorFor(
  { why, message }: Mistake,
  problems: readonly Problem[],
  {
    command,
    words,
    argv,
    allWords,
  }: { command: CommandSyntax; words: readonly string[]; argv: readonly string[]; allWords: AllWords },
): Promise<RelayctlError> {
  const hint = helpOf(command);
  const unknown = words[namesInHelp(command).length];
  if (problems.length > 0) return usageError(problems, hint);
  const [isUnknownFlag, flag = ""] = UNKNOWN_OPTION.exec(message) ?? [];
  if (flag === "--token")
    return usageError(
      [{ where: "--token", rule: "is not supported: other users could read the token in the process list" }],
      "use RELAYCTL_TOKEN, --token-file FILE or relayctl auth login",
    );
  const marked = namesInHelp(command)[0] === "propose" ? await proposedLine(argv, flag, allWords) : undefined;
  if (marked !== undefined) {
    const because = [`-- goes before the proposed command: ${marked} …`];
    return new RelayctlError("usage", `unknown option '${flag}'`, { because, hint: "relayctl propose --help" });
  }
  const misplaced = await misplacedFlag(argv, rootCommand(command), allWords);
  if (misplaced) return misplaced;
  if (why === "command" && unknown !== undefined) return await unknownCommand(command, unknown, allWords);
  if (isUnknownFlag !== undefined) return await unknownFlag(command, flag, allWords);
  return new RelayctlError("usage", message, { hint });
}

/** Returns how a command that has the flag is proposed, if it was typed without `--` before it. */
async function proposedLine(argv: readonly string[], flag: string, allWords: AllWords): Promise<string | undefined> {
  const [from, at] = [argv.indexOf("propose") + 1, argv.findIndex((word) => word.split("=")[0] === flag)];
  if (at < 0 || argv.includes("--")) return undefined;
  const { path, command } = commandIn(argv.slice(from, at), (await allWords()).program);
  return namesOfFlags(command.flags).includes(flag) ? ["relayctl propose --", ...path, flag].join(" ") : undefined;
}

function rootCommand(command: CommandSyntax): CommandSyntax {
  return command.parent ? rootCommand(command.parent) : command;
}

export async function unknownCommand(
  parent: CommandSyntax,
  word: string,
  allWords: AllWords,
  topics: readonly string[] = [],
): Promise<RelayctlError> {
  const commands = parent.commands.map(({ name }) => name);
  const unknown = `unknown command ${topics.length > 0 ? "or topic " : ""}'${word}'`;
  const meant = nearestName(word, [...commands, ...(parent.parent ? [] : DAILY.keys()), ...topics]);
  const all = commandsForAlias(word, (await allWords()).program);
  const own = all.filter((each) => each.startsWith(`${namesInHelp(parent)[0]} `));
  const having = parent.parent ? own : all;
  if (having.length > 0) {
    const hint = having.length > 1 ? helpOf(parent) : `relayctl ${having[0]} --help`;
    return new RelayctlError("usage", `${unknown}; did you mean ${joinWords(having)}?`, { hint });
  }
  return new RelayctlError("usage", unknown, {
    because: [
      ...(meant === undefined ? [] : [`did you mean ${meant}?`]),
      ...(commands.length > 0 ? [`commands: ${commands.join(", ")}`] : []),
      ...(topics.length > 0 ? [`topics: ${topics.join(", ")}`] : []),
    ],
    hint: helpOf(parent),
  });
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  if (words.length < 3) return words.join(" or ");
  return `${words.slice(0, -1).join(", ")}, or ${last}`;
}
