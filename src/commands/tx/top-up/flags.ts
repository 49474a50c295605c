import { SPEEDS } from "../../../contract/transaction/replacement-price.ts";
import { LOST_LINES } from "../../../session/journaling/lost-lines-flag.ts";
import type { CommandSyntax, ParsedFlags } from "../../command.ts";

export type TopUpFlags = ParsedFlags<typeof defineTopUpFlags>;

export const USUAL_SPEED = "fast";

export function defineTopUpFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Top-up")
    .option("--from <relayer>", "ID of the relayer that pays (required)")
    .option("--to-balance <amount>", "Fill balances up to this amount, e.g. 0.5eth (required)")
    .option("--below <amount>", "Top up balances below this amount (default: half of --to-balance)")
    .option("--max-total <amount>", "Send nothing if the sum is above this amount (required with --yes and --confirm)")
    .option(
      "--where <condition>",
      "Select matching relayers on the purse's network, e.g. name~bulk, !paused (repeatable; all must match)",
      "values",
    )
    .choice("--speed <speed>", `Speed of the payments (default: ${USUAL_SPEED})`, SPEEDS)
    .option("--node <url>", "Read balances from this node, not from the purse's")
    .optionsGroup("Journal")
    .option("--state <folder>", "Keep the payments in this folder (default: in the journal)")
    .option(...LOST_LINES);
}
