import type { CommandSyntax } from "../commands/flags/syntax.ts";
import { type Problem, RelayctlError, usageError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { helpOf, namesOf } from "./help/help-of.ts";
import type { AllWords } from "./parsing/command-source.ts";
import type { Mistake } from "./parsing/reading.ts";
import { misplacedFlag, unknownFlag } from "./unknown-flag.ts";

/** Matches an unknown option, which may contain line endings. */
const UNKNOWN_OPTION = /^unknown option '(--[A-Za-z0-9-]*|-.)?.*'$/s;

/** The words of a line, and the last command that they lead to. */
interface Line {
  command: CommandSyntax;
  words: readonly string[];
  argv: readonly string[];
  allWords: AllWords;
}

/**
 * Returns the error for a line that cannot be parsed. It quotes the unknown word; of a flag only the name may be
 * shown, since its value may be a secret.
 * @param problems the other known problems, which explain more
 */
export async function mistakeOf(
  { why, message }: Mistake,
  problems: readonly Problem[],
  { command, words, argv, allWords }: Line,
): Promise<RelayctlError> {
  const hint = helpOf(command);
  const unknown = words[namesOf(command).length];
  if (problems.length > 0) return usageError(problems, hint);
  const [isUnknownFlag, flag = ""] = UNKNOWN_OPTION.exec(message) ?? [];
  if (flag === "--token") return tokenFlag();
  const misplaced = await misplacedFlag(argv, programOf(command), allWords);
  if (misplaced) return misplaced;
  if (why === "command" && unknown !== undefined) return unknownCommand(command, unknown);
  if (isUnknownFlag !== undefined) return await unknownFlag(command, flag, allWords);
  return new RelayctlError("usage", message, { hint });
}

function tokenFlag(): RelayctlError {
  return usageError(
    [{ where: "--token", rule: "is not supported: other users could read the token in the process list" }],
    "use RELAYCTL_TOKEN, --token-file FILE or relayctl auth login",
  );
}

function programOf(command: CommandSyntax): CommandSyntax {
  return command.parent ? programOf(command.parent) : command;
}

/**
 * Returns the error for an unknown command.
 * @param topics other possible words
 */
export function unknownCommand(parent: CommandSyntax, word: string, topics: readonly string[] = []): RelayctlError {
  const commands = parent.commands.map(({ name }) => name);
  const meant = nearest(word, [...commands, ...topics]);
  return new RelayctlError("usage", `unknown command ${topics.length > 0 ? "or topic " : ""}'${word}'`, {
    because: [
      ...(meant === undefined ? [] : [`did you mean ${meant}?`]),
      ...(commands.length > 0 ? [`commands: ${commands.join(", ")}`] : []),
      ...(topics.length > 0 ? [`topics: ${topics.join(", ")}`] : []),
    ],
    hint: helpOf(parent),
  });
}
