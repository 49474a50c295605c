import type { CommandGroup } from "../command.ts";

export const history: CommandGroup = {
  list: async () => (await import("./list.ts")).historyList,
  show: async () => (await import("./show.ts")).historyShow,
  settle: async () => (await import("./settle.ts")).historySettle,
  costs: async () => (await import("./costs.ts")).historyCosts,
  verify: async () => (await import("./verify.ts")).historyVerify,
};
