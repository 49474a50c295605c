import { VERSION } from "../../version.ts";
import { TREE } from "../tree.ts";
import { examplesBlock } from "./examples.ts";
import { columnOf, page, type Row, section } from "./layout.ts";
import { TOPICS } from "./topics.ts";

/** What `relayctl help` and `relayctl --help` print. */
export function programPage(width: number): string {
  const [commands, topics] = [rowsOf(TREE), rowsOf(TOPICS)];
  const column = columnOf([...commands, ...topics], width);
  return page(
    `relayctl ${VERSION} · operate relayers, their transactions and their notifications`,
    "Usage: relayctl <command> [flags]",
    examplesBlock(
      ["relayctl --demo relayers list", "relayctl auth login", "relayctl relayers pause eth-main-1"],
      width,
    ),
    section("Commands", commands, width, column),
    section("Topics", topics, width, column),
    "Help of one: relayctl help <command or topic>, or --help behind any command",
  );
}

function rowsOf(named: Readonly<Record<string, { summary: string }>>): Row[] {
  return Object.entries(named).map(([term, { summary }]) => ({ term, text: summary }));
}
