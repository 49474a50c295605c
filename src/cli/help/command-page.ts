import type { CommandSyntax } from "../../commands/flags/syntax.ts";
import { DAILY } from "../../completion/aliases.ts";
import { type Block, sectionOf, termsOf, textOf } from "./block.ts";
import type { CommandFacts } from "./command-facts.ts";
import { flagSections } from "./flag-sections.ts";
import { namesOf } from "./help-of.ts";

export function commandPage(command: CommandSyntax, facts: CommandFacts): Block[] {
  const args = facts.args.map(({ name, description }) => ({ term: name, text: description }));
  const usage = ["relayctl", ...namesOf(command), ...args.map(({ term }) => term), "[flags]"].join(" ");
  const path = namesOf(command).join(" ");
  const daily = Object.keys(DAILY).find((word) => DAILY[word]?.join(" ") === path);
  return [
    textOf(command.about),
    ...(daily === undefined ? [] : [shortFor(daily, path)]),
    { kind: "usage", text: usage },
    { kind: "code", heading: "Examples", lines: facts.examples },
    { kind: "sections", sections: [{ heading: "Arguments", rows: args }, ...flagSections(command)] },
    {
      kind: "facts",
      facts: [
        { label: "Exit codes", rows: facts.exitCodes },
        { label: "Environment", rows: termsOf(facts.variables) },
        { label: "More flags", rows: termsOf(facts.flags) },
      ],
    },
  ];
}

/** Builds the help page of a noun: its verbs, and three examples. @param bare the verb of the noun alone */
export function groupPage(
  command: CommandSyntax,
  verbs: readonly (readonly [verb: string, facts: Pick<CommandFacts, "args" | "summary" | "examples">])[],
  bare?: string,
): Block[] {
  const rows = verbs.map(([verb, { args, summary }]) => ({
    term: [verb, ...args.map(({ name }) => name)].join(" "),
    text: summary,
  }));
  return [
    textOf(`${command.about}.`),
    { kind: "usage", text: `relayctl ${command.name} ${bare === undefined ? "<command>" : "[command]"}` },
    { kind: "code", heading: "Examples", lines: verbs.slice(0, 3).flatMap(([, { examples }]) => examples.slice(0, 1)) },
    sectionOf("Commands", rows),
    ...(bare === undefined ? [] : [shortFor(command.name, `${command.name} ${bare}`)]),
    textOf(`Run \`relayctl ${command.name} <command> --help\` for details.`),
  ];
}

function shortFor(word: string, path: string): Block {
  return textOf(`\`relayctl ${word}\` is short for \`relayctl ${path}\`.`);
}
