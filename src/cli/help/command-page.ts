import type { Command } from "commander";
import type { AnyCommand } from "../../commands/command.ts";
import type { Variable } from "../../config/variables.ts";
import { showsRequests } from "../request-flags.ts";
import { examplesBlock } from "./examples.ts";
import { exitCodesOf } from "./exit-codes.ts";
import { flagGroups } from "./flag-rows.ts";
import { namesOf } from "./help-of.ts";
import { columnOf, labelled, page, section, wrapped } from "./layout.ts";

/** The help of one command. */
export function commandPage(command: Command, file: AnyCommand, width: number): string {
  const operands = (file.operands ?? []).map(({ name, description }) => ({ term: name, text: description }));
  const groups = [["Arguments", operands] as const, ...flagGroups(command)];
  const column = columnOf(
    groups.flatMap(([, rows]) => rows),
    width,
  );
  return page(
    wrapped(command.description(), width),
    `Usage: ${["relayctl", ...namesOf(command), ...operands.map(({ term }) => term)].join(" ")} [flags]`,
    examplesBlock(file.examples, width),
    groups
      .map(([heading, rows]) => section(heading, rows, width, column))
      .filter((text) => text !== "")
      .join("\n"),
    [
      labelled(
        "Exit codes",
        exitCodesOf(file).map(({ code, words }) => `${code} ${words}`),
        width,
      ),
      labelled("Environment", variablesOf(file), width),
      labelled("More flags", flagsFor(file), width),
    ].join("\n"),
  );
}

/** Some of those that every command takes, of which not all mean something to all. */
function flagsFor({ sends }: AnyCommand): string[] {
  const some = showsRequests(sends) ? ["-o", "--fields", "-c", "--demo", "--yes", "--dry-run"] : ["-o", "-c", "-q"];
  return [...some, "relayctl help flags"];
}

function variablesOf({ sends, variables = [] }: AnyCommand): string[] {
  return [...variables, ...(showsRequests(sends) ? SERVICE : HERE), "relayctl help environment"];
}

const SERVICE: readonly Variable[] = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_CONTEXT"];
const HERE: readonly Variable[] = ["RELAYCTL_CONFIG_DIR"];
