import type { CommandWords } from "../../completion/words.ts";
import { dailyFact, listJobs, TITLE } from "./bare.ts";
import { type Block, type Row, sectionOf, textOf } from "./block.ts";
import { TOPICS } from "./topics.ts";

/** @param groups what is typed first, with a summary each */
export function programPage(groups: readonly Pick<CommandWords, "name" | "summary">[]): Block[] {
  return [
    textOf(TITLE),
    { kind: "usage", text: "relayctl <command> [flags]" },
    { kind: "facts", facts: [...listJobs(), dailyFact()] },
    {
      kind: "sections",
      sections: [
        { heading: "Groups", rows: groups.map(({ name, summary }) => ({ term: name, text: summary })) },
        { heading: "Topics", rows: listTopics() },
      ],
      apart: true,
    },
    textOf(
      "Run `relayctl <command> --help` for details, `relayctl help --all` for a list of all commands, or " +
        "`relayctl help <topic>`. For programs: `relayctl help --json`.",
    ),
  ];
}

export function allPage({ commands }: Pick<CommandWords, "commands">): Block[] {
  const rows = commands.flatMap(({ name, summary, commands: verbs }) =>
    verbs.length === 0
      ? [{ term: name, text: summary }]
      : verbs.map((verb) => ({ term: `${name} ${verb.name}`, text: verb.summary })),
  );
  return [{ kind: "facts", facts: [dailyFact()] }, sectionOf("Commands", rows)];
}

export function topicsPage(): Block[] {
  return [sectionOf("Topics", listTopics()), textOf("Run `relayctl help <topic>` to read one.")];
}

function listTopics(): Row[] {
  return Object.entries(TOPICS).map(([term, { summary }]) => ({ term, text: summary }));
}
