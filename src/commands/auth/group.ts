import type { CommandGroup } from "../command.ts";
export const auth: CommandGroup = {};
