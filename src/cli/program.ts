import { type AnyCommand, CommandSyntax } from "../commands/command.ts";
import { OUTPUT_FORMATS } from "../terminal/output-options.ts";
import { DEFAULT_DEADLINE, DEFAULT_RETRIES, DEFAULT_TIMEOUT, FOLLOW_DEADLINE, MOST_RETRIES } from "../timing.ts";
import { COLORS } from "./choices.ts";
import type { Block } from "./help/block.ts";
import { commandPage, groupPage } from "./help/command-page.ts";
import { programPage } from "./help/program-page.ts";
import { type argvWithFullWords, argvWords } from "./parsing/argv.ts";
import type { CommandSource, KnownCommand, NamedCommand } from "./parsing/command-source.ts";
import type { Values } from "./parsing/reading.ts";
import { type Branch, HIDDEN, TREE } from "./tree.ts";

export interface ChosenCommand {
  file: AnyCommand;
  command: CommandSyntax;
  args: readonly string[];
  flags: Values;
}

export type Program = Awaited<ReturnType<typeof buildProgram>>;

interface Known {
  files: Map<CommandSyntax, AnyCommand>;
  pages: Map<CommandSyntax, () => Block[]>;
  kind: string;
}

/** Loads only the typed command, or its noun if the verb is unknown. @param completed has full and optional words */
export async function buildProgram(
  typed: readonly string[],
  source: CommandSource,
  completed: typeof argvWithFullWords = async (argv) => argv,
) {
  const program = new CommandSyntax("relayctl").description(
    "Operate relayers, their transactions, and their notifications",
  );
  addCommonFlags(program);
  program.option("-V, --version", "Print the version");
  const argv = await completed(typed, program, source);
  const words = argvWords(argv, program);
  const [noun = "", verb] = words[0] === "help" ? argvWords(argv, program, 3).slice(1) : words;
  const known: Known = {
    files: new Map(),
    pages: new Map([[program, () => programPage(program.commands)]]),
    kind: typedKind(argv),
  };
  const hidden = Object.entries(HIDDEN).filter(([name]) => name === noun);
  for (const [name, branch] of [...Object.entries(TREE), ...hidden]) {
    const command = program.command(name).description(branch.summary);
    command.summary = branch.summary;
    if (name === noun) defineNoun(command, branch, await source.load(noun, verb), known);
  }
  const { files, pages } = known;
  return { program, argv, words, files, source, pageOf: (command: CommandSyntax) => pages.get(command)?.() ?? [] };
}

function defineNoun(noun: CommandSyntax, branch: Branch, commands: readonly NamedCommand[], known: Known): void {
  const verbs: [string, KnownCommand][] = [];
  for (const { verb, known: found } of commands) {
    const command = verb === undefined ? noun : noun.command(verb);
    if (found) defineCommand(command, found, known);
    if (found && verb !== undefined) verbs.push([verb, found]);
  }
  if (!("verbs" in branch)) return;
  const page = () =>
    groupPage(
      noun,
      verbs.map(([verb, { facts }]) => [verb, facts] as const),
      branch.bare,
    );
  known.pages.set(noun, page);
}

function defineCommand(command: CommandSyntax, found: KnownCommand, { files, pages, kind }: Known): void {
  if (found.file) files.set(command, found.file);
  found.define(command);
  pages.set(command, () => commandPage(command, found.facts, kind));
}

function typedKind(argv: readonly string[]): string {
  return / --network-type[ =](evm|solana|stellar) /.exec(` ${argv.join(" ")} `)?.[1] ?? "evm";
}

/** Adds the common flags (promises 2.1). They are allowed anywhere on the line. */
export function addCommonFlags(program: CommandSyntax) {
  return program
    .optionsGroup("Output")
    .choice("-o, --output <format>", "Output format", OUTPUT_FORMATS)
    .option("--json", "Short for -o json")
    .option("--fields <list>", "Choose columns or fields, e.g. id,policies.min_balance")
    .option("--query <expr>", "Filter the whole result with a JMESPath expression")
    .option("--headers", "Print a header line in tsv and csv")
    .option("--no-headers", "Omit the header line")
    .choice("--color <when>", "When to use color", COLORS)
    .option("--no-pager", "Print a long table or help page straight to the terminal, not through a pager")
    .option("-q, --quiet", "Print less on stderr")
    .option(
      "-v, --verbose",
      "Print requests, responses, and their headers on stderr, without secrets; -vv prints bodies too",
      "times",
    )
    .optionsGroup("Connection")
    .option("-c, --context <name>", "Use a stored context, or several to read side by side, e.g. eu,us or 'prod-*'")
    .option("--server <url>", "URL of the service")
    .option("--token-file <file>", "Read the token from a file (`-` for stdin)")
    .option(
      "--header <line>",
      "Send one more header to the service, as 'Name: value', or the headers of a file, one per line, as @FILE (@- for stdin; repeatable)",
      "values",
    )
    .option("--demo", "Use the embedded server, inside this process")
    .option("--ca-file <file>", "Trust additional certificates from a file")
    .option("--cert <file>", "Client certificate for the service, in PEM or PKCS#12")
    .option("--key <file>", "Private key of --cert, in PEM")
    .option("--key-passphrase-file <file>", "Read the passphrase of the key from a file")
    .option("--proxy <url>", "Proxy URL, or none")
    .option("--allow-http", "Allow plain HTTP to other machines")
    .optionsGroup("Confirmation")
    .option("-y, --yes", "Skip the [y/N] confirmation")
    .option("--confirm <word>", "ID or protected context's name, if it must be typed to confirm")
    .option("--no-input", "Never prompt")
    .option("--reason <text>", "Why you make this change, for the journal")
    .option("-n, --dry-run", "Print the request and send nothing")
    .option("--curl", "Print the equivalent curl command and send nothing")
    .optionsGroup("Limits")
    .option("--timeout <time>", `Time limit for one attempt (default: ${DEFAULT_TIMEOUT / 1_000}s)`)
    .option(
      "--deadline <time>",
      `Time limit for the whole command (default: ${DEFAULT_DEADLINE / 60_000}m; ${FOLLOW_DEADLINE / 60_000}m for waits; none for lists and bulk changes); a write that was sent keeps its --timeout`,
    )
    .option(
      "--retries <n>",
      `Retries after failures that changed nothing (0–${MOST_RETRIES}; default: ${DEFAULT_RETRIES})`,
    )
    .optionsGroup("Help");
}
