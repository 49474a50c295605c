import { SPEEDS } from "../../../contract/transaction/replacement-price.ts";
import { LOST_LINES } from "../../../session/journaling/lost-lines-flag.ts";
import type { CommandSyntax, ParsedFlags } from "../../command.ts";

export type UnstickFlags = ParsedFlags<typeof defineUnstickFlags>;

export function defineUnstickFlags(command: CommandSyntax) {
  return command
    .description(
      "Find out why a relayer's transactions are not mined, and free them. Transactions are mined in the order of their nonces, so a stuck transaction holds up all later ones. relayctl asks the chain for the next nonce, shows which transaction holds that nonce and why it is stuck, and asks you. Then it sends that transaction again at a higher fee, waits until it is mined, and repeats. If a transaction can never be signed, relayctl replaces it with an empty transfer. It cancels a payment only as the last resort, and only if you agree to that step. --dry-run shows the diagnosis, --curl the requests of the next step, and neither sends anything.",
    )
    .optionsGroup("Steps")
    .choice("--speed <speed>", "Speed at which to send again (default: the fastest that works)", SPEEDS)
    .option("--raise-cap", "Raise the relayer's cap if it is too low, and restore it once the bump is on its way")
    .option("--cancel", "Cancel a payment if nothing else helps; scripts need this in addition to --yes")
    .option(...LOST_LINES)
    .option("--node <url>", "Node to ask instead of the relayer's; a key in the URL is never printed");
}
