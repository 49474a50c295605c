import type { Topic } from "./topic.ts";

/** What `relayctl help` knows besides the commands; a page is loaded when it is asked for. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  flags: {
    summary: "the flags that every command takes",
    page: async () => (await import("./topics/flags.ts")).flagsPage,
  },
  output: {
    summary: "formats, columns, filters, and what goes to stdout and stderr",
    page: async () => (await import("./topics/output.ts")).outputPage,
  },
  policies: {
    summary: "the policies of each kind of relayer, their units and defaults",
    page: async () => (await import("./topics/policies.ts")).policiesPage,
  },
  "exit-codes": {
    summary: "every exit code, what it promises, and what to do next",
    page: async () => (await import("./topics/exit-codes.ts")).exitCodesPage,
  },
  safety: {
    summary: "what is asked, what is sent again, and where secrets go",
    page: async () => (await import("./topics/safety.ts")).safetyPage,
  },
  environment: {
    summary: "the variables and files that are read",
    page: async () => (await import("./topics/environment.ts")).environmentPage,
  },
};
