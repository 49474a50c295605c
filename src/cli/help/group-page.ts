import type { Command } from "commander";
import type { AnyCommand } from "../../commands/command.ts";
import { type Block, sectionOf, textOf } from "./block.ts";

/** Builds the help page of a noun: its verbs, with examples of three. */
export function groupPage(command: Command, verbs: readonly (readonly [verb: string, file: AnyCommand])[]): Block[] {
  const rows = verbs.map(([verb, { args = [], summary }]) => ({
    term: [verb, ...args.map(({ name }) => name)].join(" "),
    text: summary,
  }));
  return [
    textOf(`${command.description()}.`),
    { kind: "usage", text: `relayctl ${command.name()} <command>` },
    { kind: "code", heading: "Examples", lines: verbs.slice(0, 3).flatMap(([, { examples }]) => examples.slice(0, 1)) },
    sectionOf("Commands", rows),
    textOf(`Run \`relayctl ${command.name()} <command> --help\` for details.`),
  ];
}
