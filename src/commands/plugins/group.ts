import type { CommandGroup } from "../command.ts";

export const plugins: CommandGroup = {
  list: async () => (await import("./list.ts")).pluginsList,
  get: async () => (await import("./get.ts")).pluginsGet,
  update: async () => (await import("./update.ts")).pluginsUpdate,
  call: async () => (await import("./call.ts")).pluginsCall,
};
