import type { CommanderError } from "commander";
import { type Problem, RelayctlError, usageError } from "../errors.ts";

/** The whole of what was typed, which may have line ends in it, up to a suggestion. */
const UNKNOWN_OPTION = /unknown option '(--[A-Za-z0-9-]*|-.)?.*'(?=\n\(Did you mean|$)/s;

/**
 * The error for a line that commander cannot read. It quotes what it does not know; of a flag only the name may be told,
 * since its value may be a secret.
 * @param problems what else is known to be wrong, which explains more
 */
export function mistakeOf(error: CommanderError, problems: readonly Problem[], hint: string): RelayctlError {
  if (problems.length > 0) return usageError(problems, hint);
  const message = error.message.replace(/^error: /, "").replace(UNKNOWN_OPTION, "unknown option '$1'");
  if (message.startsWith("unknown option '--token'")) {
    return usageError(
      [{ where: "--token", rule: "does not exist: everybody on the machine could read it in the list of processes" }],
      "use RELAYCTL_TOKEN, --token-file FILE or relayctl auth login",
    );
  }
  const [first = "", ...more] = message.split("\n");
  const because = more.map((line) => line.replace(/^\(Did you mean (.*)\)$/, "did you mean $1"));
  return new RelayctlError("usage", first, { because, hint });
}
