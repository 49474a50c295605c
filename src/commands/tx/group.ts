import type { CommandGroup } from "../command.ts";

export const tx: CommandGroup = {
  replace: async () => (await import("./replace.ts")).txReplace,
};
