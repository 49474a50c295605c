import { VERSION } from "../../version.ts";
import { TREE } from "../tree.ts";
import { page, type Row, section } from "./layout.ts";
import { TOPICS } from "./topics.ts";

/** What `relayctl help` and `relayctl --help` print. */
export function programPage(width: number): string {
  return page(
    `relayctl ${VERSION} · operate relayers, their transactions and their notifications`,
    "Usage: relayctl <command> [flags]",
    "Examples\n  relayctl --demo relayers list\n  relayctl auth login\n  relayctl relayers pause eth-main-1",
    section("Commands", rowsOf(TREE), width),
    section("Topics", rowsOf(TOPICS), width),
    "Help of one: relayctl help <command or topic>, or --help behind any command",
  );
}

function rowsOf(named: Readonly<Record<string, { summary: string }>>): Row[] {
  return Object.entries(named).map(([term, { summary }]) => ({ term, text: summary }));
}
