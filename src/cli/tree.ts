import type { AnyCommand, CommandGroup } from "../commands/command.ts";

/** A noun with its verbs, or a command that stands alone. What it holds is loaded when it is typed. */
export type Branch =
  | { summary: string; group: () => Promise<CommandGroup> }
  | { summary: string; command: () => Promise<AnyCommand> };

/** The first words of the command line. */
export const TREE: Readonly<Record<string, Branch>> = {
  relayers: {
    summary: "list, show, create, change, pause, resume and delete relayers",
    group: async () => (await import("../commands/relayers/group.ts")).relayers,
  },
  tx: {
    summary: "list, show, send, replace and cancel transactions, and what they would cost",
    group: async () => (await import("../commands/tx/group.ts")).tx,
  },
  notifications: {
    summary: "list, show, create, change and delete webhook targets",
    group: async () => (await import("../commands/notifications/group.ts")).notifications,
  },
  signers: {
    summary: "list, show, create and delete what signs for relayers",
    group: async () => (await import("../commands/signers/group.ts")).signers,
  },
  networks: {
    summary: "list and show networks, and replace their RPC URLs",
    group: async () => (await import("../commands/networks/group.ts")).networks,
  },
  plugins: {
    summary: "list, show, change and call plugins",
    group: async () => (await import("../commands/plugins/group.ts")).plugins,
  },
  server: {
    summary: "whether the service answers and can work, and its metrics",
    group: async () => (await import("../commands/server/group.ts")).server,
  },
  api: {
    summary: "send any request and print the reply as received",
    command: async () => (await import("../commands/api.ts")).api,
  },
  auth: {
    summary: "sign in and out, and see which token is used",
    group: async () => (await import("../commands/auth/group.ts")).auth,
  },
  context: {
    summary: "the services that are known, and which one is current",
    group: async () => (await import("../commands/context/group.ts")).context,
  },
  serve: {
    summary: "run the embedded server on this machine",
    command: async () => (await import("../commands/serve.ts")).serve,
  },
  completion: {
    summary: "print the script that completes words in a shell",
    command: async () => (await import("../commands/completion.ts")).completion,
  },
};

/** For this program's own use, and told to nobody. */
export const HIDDEN: Readonly<Record<string, Branch>> = {
  __ids: {
    summary: "keep the ids of the service for completion",
    command: async () => (await import("../commands/completion-ids.ts")).completionIds,
  },
};
