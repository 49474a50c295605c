import { VERSION } from "../../version.ts";
import { TREE } from "../tree.ts";
import { type Block, type Row, sectionOf, textOf } from "./block.ts";
import { TOPICS } from "./topics.ts";

/** Builds the page that `relayctl help` and `relayctl --help` print. */
export function programPage(): Block[] {
  return [
    textOf(`relayctl ${VERSION} · operate relayers, their transactions, and their notifications`),
    { kind: "usage", text: "relayctl <command> [flags]" },
    {
      kind: "code",
      heading: "Examples",
      lines: ["relayctl --demo relayers list", "relayctl auth login", "relayctl relayers pause eth-main-1"],
    },
    {
      kind: "sections",
      sections: [
        { heading: "Commands", rows: listRows(TREE) },
        { heading: "Topics", rows: listRows(TOPICS) },
      ],
      apart: true,
    },
    textOf(
      "Run `relayctl <command> --help` for details, or `relayctl help <topic>`. For programs: `relayctl help --json`.",
    ),
  ];
}

/** Builds the page that `relayctl help topics` prints. */
export function topicsPage(): Block[] {
  return [sectionOf("Topics", listRows(TOPICS)), textOf("Run `relayctl help <topic>` to read one.")];
}

function listRows(named: Readonly<Record<string, { summary: string }>>): Row[] {
  return Object.entries(named).map(([term, { summary }]) => ({ term, text: summary }));
}
