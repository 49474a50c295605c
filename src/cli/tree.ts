import type { AnyCommand, CommandGroup } from "../commands/command.ts";

/** A noun with its verbs, or one command, loaded when typed. `bare` is the verb that the noun alone stands for. */
export type Branch =
  | { summary: string; group: () => Promise<CommandGroup>; bare?: string }
  | { summary: string; command: () => Promise<AnyCommand> };

/** The first words of the command line. */
export const TREE: Readonly<Record<string, Branch>> = {
  relayers: {
    summary: "List, show, create, update, pause, resume, and delete relayers",
    group: async () => (await import("../commands/relayers/group.ts")).relayers,
  },
  tx: {
    summary: "List, show, send, replace, and cancel transactions, and quote their fees",
    group: async () => (await import("../commands/tx/group.ts")).tx,
  },
  notifications: {
    summary: "List, show, create, update, and delete webhook notifications",
    group: async () => (await import("../commands/notifications/group.ts")).notifications,
  },
  webhooks: {
    summary: "Receive, verify, sign, and send webhook deliveries",
    group: async () => (await import("../commands/webhooks/group.ts")).webhooks,
  },
  signers: {
    summary: "List, show, create, and delete signers",
    group: async () => (await import("../commands/signers/group.ts")).signers,
  },
  networks: {
    summary: "List and show networks, and replace their RPC URLs",
    group: async () => (await import("../commands/networks/group.ts")).networks,
  },
  plugins: {
    summary: "List, show, update, and call plugins",
    group: async () => (await import("../commands/plugins/group.ts")).plugins,
  },
  server: {
    summary: "Check the service's health and readiness, and read its metrics",
    group: async () => (await import("../commands/server/group.ts")).server,
  },
  doctor: {
    summary: "Examine the service and its relayers, and show what fixes each problem",
    command: async () => (await import("../commands/doctor.ts")).doctor,
  },
  find: {
    summary: "Find a hash, an ID, a nonce, an address, or a name",
    command: async () => (await import("../commands/find.ts")).find,
  },
  history: {
    summary: "Show who changed what and when, and settle what is unknown",
    group: async () => (await import("../commands/history/group.ts")).history,
    bare: "list",
  },
  undo: {
    summary: "Undo the changes of a run, if nothing changed since",
    command: async () => (await import("../commands/undo.ts")).undo,
  },
  plan: {
    summary: "Show how the service differs from files, and what would change",
    command: async () => (await import("../commands/plan.ts")).plan,
  },
  apply: {
    summary: "Make the service equal to files, or carry out a saved plan",
    command: async () => (await import("../commands/apply.ts")).apply,
  },
  drift: {
    summary: "Check whether the service differs from files, e.g. from cron",
    command: async () => (await import("../commands/drift.ts")).drift,
  },
  validate: {
    summary: "Find everything that is wrong or unfinished in the files of a fleet",
    command: async () => (await import("../commands/validate.ts")).validate,
  },
  export: {
    summary: "Write the fleet as a config file, or update files",
    command: async () => (await import("../commands/export.ts")).exportFleet,
  },
  api: {
    summary: "Send any request and print the response as received",
    command: async () => (await import("../commands/api.ts")).api,
  },
  auth: {
    summary: "Sign in and out, and show which token is used",
    group: async () => (await import("../commands/auth/group.ts")).auth,
  },
  context: {
    summary: "Manage the stored contexts and choose the current one",
    group: async () => (await import("../commands/context/group.ts")).context,
  },
  label: {
    summary: "Manage the labels of addresses, which are typed as @label",
    group: async () => (await import("../commands/label/group.ts")).label,
  },
  serve: {
    summary: "Run the embedded server on this machine",
    command: async () => (await import("../commands/serve.ts")).serve,
  },
  version: {
    summary: "Print the version, and how and from which commit it was built",
    command: async () => (await import("../commands/version.ts")).version,
  },
  completion: {
    summary: "Print the completion script for a shell",
    command: async () => (await import("../commands/completion.ts")).completion,
  },
};

/** For this program's own use; help does not show them. */
export const HIDDEN: Readonly<Record<string, Branch>> = {
  __ids: {
    summary: "Store the service's IDs for completion",
    command: async () => (await import("../commands/completion-ids.ts")).completionIds,
  },
};
