import type { CommandGroup } from "../command.ts";
export const context: CommandGroup = {};
