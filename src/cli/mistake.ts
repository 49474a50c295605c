import type { Command, CommanderError } from "commander";
import { type Problem, RelayctlError, usageError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { helpOf, namesOf } from "./help/help-of.ts";

/** Matches the whole unknown option, which may contain line endings, up to a suggestion. */
const UNKNOWN_OPTION = /unknown option '(--[A-Za-z0-9-]*|-.)?.*'(?=\n\(Did you mean|$)/s;

/**
 * Returns the error for a line that commander cannot parse. It quotes the unknown word; of a flag only the name may be
 * shown, since its value may be a secret.
 * @param problems the other known problems, which explain more
 * @param command the last command that the words lead to
 */
export function mistakeOf(
  error: CommanderError,
  problems: readonly Problem[],
  command: Command,
  words: readonly string[],
): RelayctlError {
  const hint = helpOf(command);
  const unknown = words[namesOf(command).length];
  if (problems.length > 0) return usageError(problems, hint);
  if (error.code === "commander.unknownCommand" && unknown !== undefined) return unknownCommand(command, unknown);
  const message = error.message.replace(/^error: /, "").replace(UNKNOWN_OPTION, "unknown option '$1'");
  if (message.startsWith("unknown option '--token'")) {
    return usageError(
      [{ where: "--token", rule: "is not supported: other users could read the token in the process list" }],
      "use RELAYCTL_TOKEN, --token-file FILE or relayctl auth login",
    );
  }
  const [first = "", ...more] = message.split("\n");
  const because = more.map((line) => line.replace(/^\(Did you mean (.*)\)$/, "did you mean $1"));
  return new RelayctlError("usage", first, { because, hint });
}

/**
 * Returns the error for an unknown command.
 * @param topics other possible words
 */
export function unknownCommand(parent: Command, word: string, topics: readonly string[] = []): RelayctlError {
  const commands = parent.commands.map((command) => command.name());
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
