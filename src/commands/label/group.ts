import type { CommandGroup } from "../command.ts";

export const label: CommandGroup = {
  list: async () => (await import("./list.ts")).labelList,
  set: async () => (await import("./set.ts")).labelSet,
  delete: async () => (await import("./delete.ts")).labelDelete,
  import: async () => (await import("./import.ts")).labelImport,
};
