import { SPEEDS } from "../../../contract/transaction/replacement-price.ts";
import { LOST_LINES } from "../../../session/journaling/lost-lines-flag.ts";
import type { CommandSyntax, ParsedFlags } from "../../command.ts";

export type UnstickFlags = ParsedFlags<typeof defineUnstickFlags>;

export function defineUnstickFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Steps")
    .choice("--speed <speed>", "Speed at which to send again (default: the fastest that works)", SPEEDS)
    .option("--raise-cap", "Raise the relayer's cap if it is too low, and restore it once the bump is on its way")
    .option("--cancel", "Cancel a payment if nothing else helps; scripts need this in addition to --yes")
    .option(...LOST_LINES)
    .option("--node <url>", "Node to ask instead of the relayer's; a key in the URL is never printed");
}
