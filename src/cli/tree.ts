import type { AnyCommand, CommandGroup } from "../commands/command.ts";

/**
 * A noun with its verbs, or one command, loaded when typed. `bare` is the verb that the noun stands for by itself. The verbs of one noun are created
 * when it is typed, since all of them take a millisecond.
 */
export type Branch =
  | { summary: string; verbs(): CommandGroup; bare?: string }
  | { summary: string; command: () => Promise<AnyCommand> };

export const TREE: Readonly<Record<string, Branch>> = {
  relayers: {
    summary: "List, show, create, update, pause, resume, and delete relayers",
    verbs: () => ({
      list: async () => (await import("../commands/relayers/list.ts")).relayersList,
      get: async () => (await import("../commands/relayers/get.ts")).relayersGet,
      update: async () => (await import("../commands/relayers/update.ts")).relayersUpdate,
      edit: async () => (await import("../commands/relayers/edit/edit.ts")).relayersEdit,
      pause: async () => (await import("../commands/relayers/pause.ts")).relayersPause,
      resume: async () => (await import("../commands/relayers/pause.ts")).relayersResume,
      freeze: async () => (await import("../commands/relayers/freeze.ts")).relayersFreeze,
      create: async () => (await import("../commands/relayers/create.ts")).relayersCreate,
      clone: async () => (await import("../commands/relayers/clone.ts")).relayersClone,
      delete: async () => (await import("../commands/relayers/delete.ts")).relayersDelete,
      status: async () => (await import("../commands/relayers/status.ts")).relayersStatus,
      guard: async () => (await import("../commands/relayers/guard.ts")).relayersGuard,
      unstick: async () => (await import("../commands/relayers/unstick.ts")).relayersUnstick,
      balance: async () => (await import("../commands/relayers/balance.ts")).relayersBalance,
      rpc: async () => (await import("../commands/relayers/rpc.ts")).relayersRpc,
      sign: async () => (await import("../commands/relayers/sign.ts")).relayersSign,
      "sign-typed-data": async () => (await import("../commands/relayers/sign.ts")).relayersSignTypedData,
      "sign-transaction": async () => (await import("../commands/relayers/sign.ts")).relayersSignTransaction,
    }),
  },
  tx: {
    summary: "List, show, send, replace, and cancel transactions, and quote their fees",
    verbs: () => ({
      list: async () => (await import("../commands/tx/list.ts")).txList,
      get: async () => (await import("../commands/tx/get.ts")).txGet,
      stuck: async () => (await import("../commands/tx/stuck.ts")).txStuck,
      wait: async () => (await import("../commands/tx/wait.ts")).txWait,
      send: async () => (await import("../commands/tx/send.ts")).txSend,
      "send-many": async () => (await import("../commands/tx/send-many.ts")).txSendMany,
      replace: async () => (await import("../commands/tx/replace.ts")).txReplace,
      bump: async () => (await import("../commands/tx/bump.ts")).txBump,
      cancel: async () => (await import("../commands/tx/cancel.ts")).txCancel,
      "cancel-pending": async () => (await import("../commands/tx/cancel-pending.ts")).txCancelPending,
      quote: async () => (await import("../commands/tx/sponsorship/sponsored.ts")).txQuote,
      build: async () => (await import("../commands/tx/sponsorship/sponsored.ts")).txBuild,
    }),
  },
  topup: {
    summary: "Top up relayers from one purse",
    command: async () => (await import("../commands/topup.ts")).topup,
  },
  notifications: {
    summary: "List, show, create, update, and delete webhook notifications",
    verbs: () => ({
      list: async () => (await import("../commands/notifications/list.ts")).notificationsList,
      get: async () => (await import("../commands/notifications/get.ts")).notificationsGet,
      create: async () => (await import("../commands/notifications/create.ts")).notificationsCreate,
      update: async () => (await import("../commands/notifications/update.ts")).notificationsUpdate,
      "rotate-key": async () => (await import("../commands/notifications/rotate-key.ts")).notificationsRotateKey,
      delete: async () => (await import("../commands/notifications/delete.ts")).notificationsDelete,
    }),
  },
  webhooks: {
    summary: "Receive, verify, sign, and send webhook deliveries",
    verbs: () => ({
      listen: async () => (await import("../commands/webhooks/listen.ts")).webhooksListen,
      events: async () => (await import("../commands/webhooks/events.ts")).webhooksEvents,
      verify: async () => (await import("../commands/webhooks/verify.ts")).webhooksVerify,
      sign: async () => (await import("../commands/webhooks/sign.ts")).webhooksSign,
      test: async () => (await import("../commands/webhooks/test.ts")).webhooksTest,
      replay: async () => (await import("../commands/webhooks/replay.ts")).webhooksReplay,
    }),
  },
  signers: {
    summary: "List, show, create, and delete signers",
    // There is no `update`: the service rejects every change of a signer (facts 8.1).
    verbs: () => ({
      list: async () => (await import("../commands/signers/list.ts")).signersList,
      get: async () => (await import("../commands/signers/get.ts")).signersGet,
      create: async () => (await import("../commands/signers/create.ts")).signersCreate,
      delete: async () => (await import("../commands/signers/delete.ts")).signersDelete,
    }),
  },
  networks: {
    summary: "List and show networks, and replace their RPC URLs",
    verbs: () => ({
      list: async () => (await import("../commands/networks/list.ts")).networksList,
      get: async () => (await import("../commands/networks/get.ts")).networksGet,
      update: async () => (await import("../commands/networks/update.ts")).networksUpdate,
    }),
  },
  plugins: {
    summary: "List, show, update, and call plugins",
    verbs: () => ({
      list: async () => (await import("../commands/plugins/list.ts")).pluginsList,
      get: async () => (await import("../commands/plugins/get.ts")).pluginsGet,
      update: async () => (await import("../commands/plugins/update.ts")).pluginsUpdate,
      call: async () => (await import("../commands/plugins/call.ts")).pluginsCall,
    }),
  },
  server: {
    summary: "Check the service's health and readiness, and read its metrics",
    verbs: () => ({
      health: async () => (await import("../commands/server/health.ts")).serverHealth,
      ready: async () => (await import("../commands/server/ready.ts")).serverReady,
      metrics: async () => (await import("../commands/server/metrics.ts")).serverMetrics,
    }),
  },
  alerts: {
    summary: "Print alert rules, a dashboard, or routes for the metrics of relayers",
    command: async () => (await import("../commands/alerts.ts")).alerts,
  },
  doctor: {
    summary: "Check the service and its relayers, and show a fix for each problem",
    command: async () => (await import("../commands/doctor.ts")).doctor,
  },
  top: {
    summary: "Watch relayers on the whole terminal, and act on them with keys",
    command: async () => (await import("../commands/top.ts")).top,
  },
  find: {
    summary: "Find a hash, an ID, a nonce, an address, or a name",
    command: async () => (await import("../commands/find.ts")).find,
  },
  audit: {
    summary: "Account for every nonce of relayers, no matter who sent",
    command: async () => (await import("../commands/audit.ts")).audit,
  },
  spend: {
    summary: "Sum what relayers moved and paid in fees, by coin",
    command: async () => (await import("../commands/spend.ts")).spend,
  },
  history: {
    summary: "Show who changed what and when, and settle unknown outcomes",
    verbs: () => ({
      list: async () => (await import("../commands/history/list.ts")).historyList,
      show: async () => (await import("../commands/history/show.ts")).historyShow,
      settle: async () => (await import("../commands/history/settle.ts")).historySettle,
      verify: async () => (await import("../commands/history/verify.ts")).historyVerify,
    }),
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
  propose: {
    summary: "Propose a write, which somebody then approves",
    command: async () => (await import("../commands/propose.ts")).propose,
  },
  proposals: {
    summary: "List the proposals of this machine",
    verbs: () => ({ list: async () => (await import("../commands/proposals/list.ts")).proposalsList }),
  },
  approve: {
    summary: "Read a proposal, and send its request once",
    command: async () => (await import("../commands/approve.ts")).approve,
  },
  mcp: {
    summary: "Serve read commands as tools for agents, over stdin and stdout",
    command: async () => (await import("../commands/mcp.ts")).mcp,
  },
  auth: {
    summary: "Sign in and out, and show which token is used",
    verbs: () => ({
      login: async () => (await import("../commands/auth/login.ts")).authLogin,
      logout: async () => (await import("../commands/auth/logout.ts")).authLogout,
      status: async () => (await import("../commands/auth/status.ts")).authStatus,
      token: async () => (await import("../commands/auth/token.ts")).authToken,
    }),
  },
  context: {
    summary: "Manage the stored contexts and choose the current one",
    verbs: () => ({
      list: async () => (await import("../commands/context/list.ts")).contextList,
      show: async () => (await import("../commands/context/show.ts")).contextShow,
      use: async () => (await import("../commands/context/use.ts")).contextUse,
      set: async () => (await import("../commands/context/set.ts")).contextSet,
      delete: async () => (await import("../commands/context/delete.ts")).contextDelete,
      trust: async () => (await import("../commands/context/trust.ts")).contextTrust,
    }),
  },
  label: {
    summary: "Manage the labels of addresses, which are typed as @label",
    verbs: () => ({
      list: async () => (await import("../commands/label/list.ts")).labelList,
      set: async () => (await import("../commands/label/set.ts")).labelSet,
      delete: async () => (await import("../commands/label/delete.ts")).labelDelete,
      import: async () => (await import("../commands/label/import.ts")).labelImport,
    }),
  },
  serve: {
    summary: "Run the embedded server on this machine",
    command: async () => (await import("../commands/serve.ts")).serve,
  },
  tour: {
    summary: "Learn relayctl in five steps, in a demo that is removed at the end",
    command: async () => (await import("../commands/tour.ts")).tour,
  },
  drill: {
    summary: "Practice on an incident, and get a score from facts",
    command: async () => (await import("../commands/drill.ts")).drill,
  },
  demo: {
    summary: "Discard the changes of commands with --demo",
    verbs: () => ({ reset: async () => (await import("../commands/demo/reset.ts")).demoReset }),
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

/** For internal use; help does not show them. */
export const HIDDEN: Readonly<Record<string, Branch>> = {
  __ids: {
    summary: "Store the service's IDs for completion",
    command: async () => (await import("../commands/completion-ids.ts")).completionIds,
  },
};
