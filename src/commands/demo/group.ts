import type { CommandGroup } from "../command.ts";

export const demo: CommandGroup = {
  reset: async () => (await import("./reset.ts")).demoReset,
};
