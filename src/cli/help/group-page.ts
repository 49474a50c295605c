import type { Command } from "commander";
import type { CommandGroup } from "../../commands/command.ts";
import { examplesBlock } from "./examples.ts";
import { page, section, wrapped } from "./layout.ts";

/** The help of a noun: its verbs, and how three of them are typed. */
export function groupPage(command: Command, group: CommandGroup, width: number): string {
  const verbs = Object.entries(group);
  const examples = verbs.slice(0, 3).flatMap(([, { examples }]) => examples.slice(0, 1));
  return page(
    wrapped(sentence(command.description()), width),
    `Usage: relayctl ${command.name()} <command>`,
    examplesBlock(examples, width),
    section(
      "Commands",
      verbs.map(([verb, { operands = [], summary }]) => ({
        term: [verb, ...operands.map(({ name }) => name)].join(" "),
        text: summary,
      })),
      width,
    ),
    `Help of one: relayctl ${command.name()} <command> --help`,
  );
}

/** `list relayers` as `List relayers.` */
function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}
