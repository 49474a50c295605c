import type { AnyCommand } from "../../commands/command.ts";
import type { CommandSyntax } from "../../commands/flags/syntax.ts";
import type { Variable } from "../../config/variables.ts";
import { showsRequests, usesService } from "../request-flags.ts";
import { type Block, sectionOf, termsOf, textOf } from "./block.ts";
import { exitCodesOf } from "./exit-codes.ts";
import { flagSections } from "./flag-sections.ts";
import { namesOf } from "./help-of.ts";

/** Builds the help page of a command. */
export function commandPage(command: CommandSyntax, file: AnyCommand): Block[] {
  const args = (file.args ?? []).map(({ name, description }) => ({ term: name, text: description }));
  const usage = ["relayctl", ...namesOf(command), ...args.map(({ term }) => term), "[flags]"].join(" ");
  return [
    textOf(command.about),
    { kind: "usage", text: usage },
    { kind: "code", heading: "Examples", lines: file.examples },
    { kind: "sections", sections: [{ heading: "Arguments", rows: args }, ...flagSections(command)] },
    {
      kind: "facts",
      facts: [
        { label: "Exit codes", rows: exitCodesOf(file).map(({ code, words }) => ({ term: `${code}`, text: words })) },
        { label: "Environment", rows: termsOf(variablesOf(file)) },
        { label: "More flags", rows: termsOf(flagsFor(file)) },
      ],
    },
  ];
}

/** Returns the common flags that matter most for a command. */
function flagsFor({ sends }: AnyCommand): string[] {
  const here = sends === "journal" ? ["-o", "-c", "--demo"] : ["-o", "-c", "-q"];
  const alone = showsRequests(sends) ? ["-o", "--timeout", "--proxy", "--dry-run", "--curl"] : here;
  const some = usesService(sends) ? ["-o", "--fields", "-c", "--demo", "--yes", "--dry-run"] : alone;
  return [...some, "relayctl help flags"];
}

function variablesOf({ sends, variables = [] }: AnyCommand): string[] {
  return [...variables, ...(usesService(sends) ? SERVICE : HERE), "relayctl help environment"];
}

const SERVICE: readonly Variable[] = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_CONTEXT"];
const HERE: readonly Variable[] = ["RELAYCTL_CONFIG_DIR"];

/**
 * Builds the help page of a noun: its verbs, with examples of three.
 * @param bare the verb that the noun alone stands for
 */
export function groupPage(
  command: CommandSyntax,
  verbs: readonly (readonly [verb: string, file: AnyCommand])[],
  bare?: string,
): Block[] {
  const rows = verbs.map(([verb, { args = [], summary }]) => ({
    term: [verb, ...args.map(({ name }) => name)].join(" "),
    text: summary,
  }));
  return [
    textOf(`${command.about}.`),
    { kind: "usage", text: `relayctl ${command.name} ${bare === undefined ? "<command>" : "[command]"}` },
    { kind: "code", heading: "Examples", lines: verbs.slice(0, 3).flatMap(([, { examples }]) => examples.slice(0, 1)) },
    sectionOf("Commands", rows),
    ...(bare === undefined
      ? []
      : [textOf(`\`relayctl ${command.name}\` is short for \`relayctl ${command.name} ${bare}\`.`)]),
    textOf(`Run \`relayctl ${command.name} <command> --help\` for details.`),
  ];
}
