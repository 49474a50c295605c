import type { CommandGroup } from "../command.ts";

export const networks: CommandGroup = {
  list: async () => (await import("./list.ts")).networksList,
  get: async () => (await import("./get.ts")).networksGet,
  update: async () => (await import("./update.ts")).networksUpdate,
};
