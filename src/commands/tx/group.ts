import type { CommandGroup } from "../command.ts";

export const tx: CommandGroup = {
  list: async () => (await import("./list.ts")).txList,
  get: async () => (await import("./get.ts")).txGet,
  stuck: async () => (await import("./stuck.ts")).txStuck,
  wait: async () => (await import("./wait.ts")).txWait,
  send: async () => (await import("./send.ts")).txSend,
  "send-many": async () => (await import("./send-many.ts")).txSendMany,
  replace: async () => (await import("./replace.ts")).txReplace,
  bump: async () => (await import("./bump.ts")).txBump,
  cancel: async () => (await import("./cancel.ts")).txCancel,
  "cancel-pending": async () => (await import("./cancel-pending.ts")).txCancelPending,
  quote: async () => (await import("./quote.ts")).txQuote,
  build: async () => (await import("./build.ts")).txBuild,
};
