import { SPEEDS } from "../../../contract/transaction/replacement.ts";
import { LOST_LINES } from "../../../session/journaling/lost-lines-flag.ts";
import type { CommandSyntax, ParsedFlags } from "../../flags/syntax.ts";

export type UnstickFlags = ParsedFlags<typeof defineUnstickFlags>;

export function defineUnstickFlags(command: CommandSyntax) {
  return command
    .description(
      "Find out why a relayer's transactions are not mined, and free them. Transactions are mined in the order of their nonces, so one that is stuck holds up all later ones. relayctl asks the chain for the next nonce, shows what has it and why it is stuck, asks, helps that transaction alone, waits until it is mined, and repeats. A transaction is sent again at a higher fee; one that can never be signed is replaced with a transfer of nothing. A payment is canceled only if nothing else helps, and only if you agree to that step. --dry-run shows the diagnosis, --curl the requests of the next step, and neither sends anything.",
    )
    .optionsGroup("Steps")
    .choice("--speed <speed>", "Speed at which to send again (default: the fastest that works)", SPEEDS)
    .option("--raise-cap", "Raise the relayer's cap if it is too low, and restore it once the bump is on its way")
    .option("--cancel", "Cancel a payment if nothing else helps; scripts need this in addition to --yes")
    .option(...LOST_LINES)
    .option("--node <url>", "Node to ask instead of the relayer's; a key in the URL is never printed");
}
