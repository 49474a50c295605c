import type { Topic } from "./block.ts";

export const TOPICS: Readonly<Record<string, Topic>> = {
  flags: {
    summary: "Flags of all commands, and which of them each takes",
    page: async () => (await import("./topics/flags.ts")).flagsPage,
  },
  output: {
    summary: "Formats, columns, filters, and what goes to stdout and stderr",
    page: async () => (await import("./topics/output.ts")).outputPage,
  },
  policies: {
    summary: "Policies of each kind of relayer, with units and defaults",
    page: async () => (await import("./topics/policies.ts")).policiesPage,
  },
  fleet: {
    summary: "Files that describe a fleet, and what counts as equal",
    page: async () => (await import("./topics/fleet.ts")).fleetPage,
  },
  waiting: {
    summary: "What to wait for, and how --wait and `tx wait` ask the chain",
    page: async () => (await import("./topics/waiting.ts")).waitingPage,
  },
  "exit-codes": {
    summary: "Every exit code, what it promises, and what to do next",
    page: async () => (await import("./topics/exit-codes.ts")).exitCodesPage,
  },
  codes: {
    summary: "Every check of doctor, with its code and severity",
    page: async () => (await import("./topics/codes.ts")).codesPage,
  },
  safety: {
    summary: "What requires confirmation, what is retried, and where secrets go",
    page: async () => (await import("./topics/safety.ts")).safetyPage,
  },
  agents: {
    summary: "How programs read, propose writes, and leave consent to people",
    page: async () => (await import("./topics/agents.ts")).agentsPage,
  },
  environment: {
    summary: "Environment variables that relayctl reads",
    page: async () => (await import("./topics/environment.ts")).environmentPage,
  },
};
