import type { CommandGroup } from "../command.ts";

export const context: CommandGroup = {
  list: async () => (await import("./list.ts")).contextList,
  show: async () => (await import("./show.ts")).contextShow,
  use: async () => (await import("./use.ts")).contextUse,
  set: async () => (await import("./set.ts")).contextSet,
  delete: async () => (await import("./delete.ts")).contextDelete,
};
