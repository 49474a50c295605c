import type { CommandGroup } from "../command.ts";
import { txReplace } from "./replace.ts";

export const tx: CommandGroup = { replace: txReplace };
