import { DAILY } from "../../completion/aliases.ts";
import type { CommandWords } from "../../completion/words.ts";
import { VERSION } from "../../version.ts";
import { type Block, type HelpFact, helpSection, helpTerms, helpText, type Row } from "./block.ts";
import { TOPICS } from "./topics.ts";

/** @param groups what is typed first, with a summary each */
export function programPage(groups: readonly Pick<CommandWords, "name" | "summary">[]): Block[] {
  return [
    helpText(TITLE),
    { kind: "usage", text: "relayctl <command> [flags]" },
    { kind: "facts", facts: [...jobFacts(), dailyFact()] },
    {
      kind: "sections",
      sections: [
        { heading: "Groups", rows: groups.map(({ name, summary }) => ({ term: name, text: summary })) },
        { heading: "Topics", rows: topicRows() },
      ],
      apart: true,
    },
    helpText(
      "Run `relayctl <command> --help` for details, `relayctl help --all` for a list of all commands, or " +
        "`relayctl help <topic>`. For programs: `relayctl help --json`.",
    ),
  ];
}

export function programAllPage({ commands }: Pick<CommandWords, "commands">): Block[] {
  const rows = commands.flatMap(({ name, summary, commands: verbs }) =>
    verbs.length === 0
      ? [{ term: name, text: summary }]
      : verbs.map((verb) => ({ term: `${name} ${verb.name}`, text: verb.summary })),
  );
  return [{ kind: "facts", facts: [dailyFact()] }, helpSection("Commands", rows)];
}

export function programTopicsPage(): Block[] {
  return [helpSection("Topics", topicRows()), helpText("Run `relayctl help <topic>` to read one.")];
}

function topicRows(): Row[] {
  return Object.entries(TOPICS).map(([term, { summary }]) => ({ term, text: summary }));
}

const TITLE = `relayctl ${VERSION} · operate relayers, their transactions, and their notifications`;

const JOBS = {
  See: ["status", "top", "tx list", "tx stuck", "doctor", "find"],
  Act: ["tx send", "tx bump", "relayers unstick", "relayers pause", "relayers freeze"],
  Pay: ["tx send-many", "topup", "spend", "wait"],
  Undo: ["history", "undo"],
  Fleet: ["export", "plan", "apply", "drift"],
  Hooks: ["notifications", "webhooks listen"],
  "Set up": ["login", "context", "label", "completion"],
};

function jobFacts(): HelpFact[] {
  return Object.entries(JOBS).map(([label, commands]) => ({ label, rows: helpTerms(commands) }));
}

function dailyFact(): HelpFact {
  return { label: "Short words", rows: helpTerms([...DAILY].map(([word, path]) => `${word} (${path.join(" ")})`)) };
}

export function programBarePage(): Block[] {
  return [
    helpText(TITLE),
    { kind: "facts", facts: jobFacts() },
    helpSection("Start", [
      { term: "relayctl --demo status", text: "Try it; nothing leaves this machine" },
      { term: "relayctl help", text: "Show all groups of commands, and the topics" },
    ]),
  ];
}
