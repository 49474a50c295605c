import type { CommandSyntax } from "../../commands/command.ts";
import { DAILY } from "../../completion/aliases.ts";
import { type Block, type HelpFact, helpSection, helpTerms, helpText } from "./block.ts";
import type { CommandFacts } from "./command-facts.ts";
import { flagSections, leadingSections, OTHER_NETWORKS } from "./flag-sections.ts";
import { namesInHelp } from "./help-of.ts";

export function commandPage(command: CommandSyntax, facts: CommandFacts, kind?: string): Block[] {
  const args = facts.args.map(({ name, description }) => ({ term: name, text: description }));
  const usage = ["relayctl", ...namesInHelp(command), ...args.map(({ term }) => term), "[flags]"].join(" ");
  const path = namesInHelp(command).join(" ");
  const [daily] = [...DAILY].find(([, words]) => words.join(" ") === path) ?? [];
  const sections = kind ? leadingSections(command, kind) : flagSections(command);
  return [
    helpText(command.about),
    ...(daily === undefined ? [] : [shortFor(daily, path)]),
    { kind: "usage", text: usage },
    { kind: "code", heading: "Examples", lines: facts.examples },
    {
      kind: "sections",
      sections: [{ heading: "Arguments", rows: args }, ...sections],
    },
    { kind: "facts", facts: sections.at(-1)?.heading === OTHER_NETWORKS ? shortFacts(facts) : allFacts(facts) },
  ];
}

function allFacts({ exitCodes, variables, flags }: CommandFacts): HelpFact[] {
  return [
    { label: "Exit codes", rows: exitCodes },
    { label: "Environment", rows: helpTerms(variables) },
    { label: "More flags", rows: helpTerms(flags) },
  ];
}

const USUAL = /^(usage error|not confirmed|authentication error|rate limited|service error|network error)$|\(--wait\)$/;

/** Returns the facts of a page with many flags; topics have what commands and waits share. */
function shortFacts({ exitCodes, flags }: CommandFacts): HelpFact[] {
  const own = exitCodes.filter(({ text }) => !USUAL.test(text));
  return [
    { label: "Exit codes", rows: [...own, ...helpTerms(["relayctl help exit-codes"])] },
    { label: "More flags", rows: helpTerms([...flags, "relayctl help environment"]) },
  ];
}

/** Builds the help page of a noun: its verbs, and three examples. @param bare the verb of the noun without a verb */
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
    helpText(`${command.about}.`),
    { kind: "usage", text: `relayctl ${command.name} ${bare === undefined ? "<command>" : "[command]"}` },
    { kind: "code", heading: "Examples", lines: verbs.slice(0, 3).flatMap(([, { examples }]) => examples.slice(0, 1)) },
    helpSection("Commands", rows),
    ...(bare === undefined ? [] : [shortFor(command.name, `${command.name} ${bare}`)]),
    helpText(`Run \`relayctl ${command.name} <command> --help\` for details.`),
  ];
}

function shortFor(word: string, path: string): Block {
  return helpText(`\`relayctl ${word}\` is short for \`relayctl ${path}\`.`);
}
