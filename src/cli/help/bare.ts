import { DAILY } from "../../completion/aliases.ts";
import { VERSION } from "../../version.ts";
import { type Block, type HelpFact, sectionOf, termsOf, textOf } from "./block.ts";

export const TITLE = `relayctl ${VERSION} · operate relayers, their transactions, and their notifications`;

const JOBS = {
  See: ["status", "top", "tx list", "tx stuck", "doctor", "find"],
  Act: ["tx send", "tx bump", "relayers unstick", "relayers pause", "relayers freeze"],
  Pay: ["tx send-many", "topup", "spend", "wait"],
  Undo: ["history", "undo"],
  Fleet: ["export", "plan", "apply", "drift"],
  Hooks: ["notifications", "webhooks listen"],
  "Set up": ["login", "context", "label", "completion"],
};

export function listJobs(): HelpFact[] {
  return Object.entries(JOBS).map(([label, commands]) => ({ label, rows: termsOf(commands) }));
}

export function dailyFact(): HelpFact {
  return { label: "Short words", rows: termsOf([...DAILY].map(([word, path]) => `${word} (${path.join(" ")})`)) };
}

export function barePage(): Block[] {
  return [
    textOf(TITLE),
    { kind: "facts", facts: listJobs() },
    sectionOf("Start", [
      { term: "relayctl --demo status", text: "Try it; nothing leaves this machine" },
      { term: "relayctl help", text: "Show all groups of commands, and the topics" },
    ]),
  ];
}
