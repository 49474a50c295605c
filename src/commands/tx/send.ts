import type { Command } from "commander";
import { isNetworkKind, NETWORK_KINDS } from "../../contract/network-kind.ts";
import { SPEEDS } from "../../contract/replacement.ts";
import { readId } from "../../flow/ids.ts";
import { givenText, type Problems } from "../../flow/problems.ts";
import { choiceOption } from "../choice-option.ts";
import type { Call, CommandFile } from "../command.ts";
import { type BodyFlags, bodyFromFlags } from "./body-flags.ts";
import { senderOperand } from "./operands.ts";
import type { Sending } from "./relayer-check.ts";
import { sendTransaction } from "./send-transaction.ts";
import { transactionView } from "./view.ts";

const PAYMENT = "eth-main-1 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 0.01eth";

/** `relayctl tx send <relayer-id>`: service-facts 5.3, 5.7, 5.8. Sent at most once after it may have left. */
export const txSend: CommandFile<BodyFlags, Sending> = {
  summary: "send a transaction",
  sends: "once",
  ends: { conflict: "the relayer is paused or disabled" },
  examples: [
    `relayctl tx send ${PAYMENT} --speed fast --yes`,
    `relayctl tx send ${PAYMENT} --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei --dry-run`,
    "relayctl tx send xlm-treasury --network mainnet --operations payment.json --memo text:invoice-7 --curl",
  ],
  resource: transactionView,
  operands: [{ ...senderOperand, description: "the relayer that sends it" }],
  define,
  interview: async (call) => (await import("./interview/send.ts")).sendInterview(call),
  prepare,
  run: sendTransaction,
};

function define(command: Command): void {
  command
    .description(
      "Send a transaction from a relayer. The relayer is read first: a body of another kind, a pause, a receiver that is not allowed, or an amount above the balance is refused before anything is sent. The answer says that it is queued, not that it is mined.",
    )
    .optionsGroup("EVM (a price by speed, by gas price, or by fee and tip)")
    .option("--to <address>", "receiver; 20 bytes of hex, the checksum is checked; none creates a contract")
    .option("--value <amount>", "required, if only 0: 0.01eth (or the network's own coin), 80gwei, or digits for wei")
    .option("--data <hex>", "call data, or the code of a contract")
    .addOption(choiceOption("--speed <speed>", "the service sets the price", SPEEDS))
    .option("--gas-price <amount>", "legacy price: 30gwei; below 1 gwei with its unit: 80wei")
    .option("--max-fee-per-gas <amount>", "EIP-1559 price: 30gwei; needs the tip")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip: 2gwei")
    .option("--gas-limit <gas>", "gas; without it the service asks its node")
    .option("--valid-until <time>", "RFC 3339 with a zone; Stellar also takes unix seconds")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "the encoded serialized transaction")
    .option("--instructions <file>", "a JSON list of instructions; - reads stdin");
  defineStellar(command)
    .optionsGroup("Request")
    .addOption(choiceOption("--kind <kind>", "where the flags leave it open", NETWORK_KINDS))
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}

function defineStellar(command: Command): Command {
  return command
    .optionsGroup("Stellar")
    .option("--network <name>", "required: the network's name")
    .option("--source-account <account>", "who sends")
    .option("--operations <file>", "a JSON list of operations; - reads stdin; not with --transaction-xdr")
    .option("--transaction-xdr <base64>", "a built transaction; a signed one needs --fee-bump")
    .option("--memo <type[:value]>", "none, text:WORDS, id:7, hash:HEX or return:HEX with 64 hex digits")
    .option("--fee-bump", "wrap a signed --transaction-xdr")
    .option("--max-fee <amount>", "0.1xlm, or digits for stroops; 1,000,000 stroops when absent")
    .option("--signed-auth-entry <base64>", "what a user signed for a built --transaction-xdr");
}

async function prepare(call: Call<BodyFlags>, problems: Problems): Promise<Sending> {
  const relayerId = await readId(call, problems, "relayer-id", call.operands[0]);
  const { kind: asked } = call.flags;
  const typed = await bodyFromFlags(call, problems, givenText);
  // zod is slow to load, and help does without.
  const { judgeTransaction } = await import("./send-body.ts");
  const judged = judgeTransaction(problems, typed, isNetworkKind(asked) ? asked : undefined, call.app.clock.now());
  return { relayerId, ...judged, placeOf: typed.placeOf, coins: typed.coins };
}
