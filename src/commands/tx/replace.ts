import type { Command } from "commander";
import { isNetworkKind, NETWORK_KINDS } from "../../contract/network-kind.ts";
import { SPEEDS } from "../../contract/replacement.ts";
import { readId } from "../../flow/ids.ts";
import type { Problems } from "../../flow/problems.ts";
import { choiceOption } from "../choice-option.ts";
import type { Call, CommandFile } from "../command.ts";
import { DIFF } from "../diff-flag.ts";
import { type BodyFlags, bodyFromFlags } from "./body-flags.ts";
import { judgeInheriting } from "./inherit.ts";
import { pendingOperands } from "./operands.ts";
import { judgeReplacement } from "./replace-body.ts";
import { type Replacing, sendReplacement } from "./send-replacement.ts";
import { transactionView } from "./view.ts";

const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** `relayctl tx replace <relayer-id> <tx-id>`: interface.md, Replace a transaction. Sent at most once after it may have left. */
export const txReplace: CommandFile<BodyFlags, Replacing> = {
  summary: "replace a pending transaction by another one",
  sends: "once",
  ends: {
    conflict: "no longer pending, or the relayer is paused or disabled",
  },
  examples: [
    `relayctl tx replace ${PENDING} --value 0.25eth --gas-limit 21000 --speed fastest --yes`,
    "relayctl tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --inherit --speed fastest --yes",
    "relayctl tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5 --network mainnet --operations payment.json --memo text:refund --curl",
  ],
  resource: transactionView,
  operands: pendingOperands("replaced"),
  readsFirst: ({ flags }: { flags: BodyFlags }) => flags.inherit === true,
  define,
  interview: async (call) => (await import("./interview/replace.ts")).replaceInterview(call),
  prepare,
  run: sendReplacement,
};

function define(command: Command): void {
  command
    .description(
      "Replace a pending transaction. The body is exactly what is typed: without --inherit nothing is copied from the earlier version. Once signed, the earlier version stays valid until one of the two is mined.",
    )
    .optionsGroup("EVM")
    .option("--to <address>", "receiver; 20 bytes of hex, the checksum is checked")
    .option("--value <amount>", "required: 0.25eth (or the network's own coin), 80gwei, or digits for wei")
    .option("--data <hex>", "call data; needs --gas-limit")
    .option("--gas-limit <gas>", "gas; without it the service signs with 21000")
    .option("--no-gas-limit", "sends null")
    .option("--gas-price <amount>", "legacy price: 30gwei; below 1 gwei with its unit: 80wei")
    .option("--max-fee-per-gas <amount>", "EIP-1559 price: 30gwei")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip: 2gwei")
    .addOption(choiceOption("--speed <speed>", "the service sets the price", SPEEDS))
    .option("--valid-until <time>", "RFC 3339 with a zone; Stellar also takes unix seconds")
    .option("--no-valid-until", "sends null")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "the encoded serialized transaction");
  defineStellar(command)
    .optionsGroup("Request")
    .addOption(choiceOption("--kind <kind>", "where the flags leave it open", NETWORK_KINDS))
    .option(
      "--inherit",
      "copy --to, --value, --data and --gas-limit from the transaction where they are not given; EVM",
    )
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option(...DIFF);
}

function defineStellar(command: Command): Command {
  return command
    .optionsGroup("Stellar")
    .option("--network <name>", "required: the network's name")
    .option("--source-account <account>", "who sends")
    .option("--no-source-account", "sends null")
    .option("--operations <file>", "a JSON list of operations; - reads stdin; not with --transaction-xdr")
    .option("--no-operations", "sends null")
    .option("--transaction-xdr <base64>", "a built transaction, signed or not")
    .option("--no-transaction-xdr", "sends null")
    .option("--memo <type[:value]>", "none, text:WORDS, id:7, hash:HEX or return:HEX with 64 hex digits")
    .option("--no-memo", "sends null")
    .option("--fee-bump", "wrap a signed --transaction-xdr")
    .option("--no-fee-bump", "send false")
    .option("--max-fee <amount>", "0.1xlm, or digits for stroops; 1,000,000 stroops when absent")
    .option("--no-max-fee", "sends null");
}

async function prepare(call: Call<BodyFlags>, problems: Problems): Promise<Replacing> {
  const relayerId = await readId(call, problems, "relayer-id", call.operands[0]);
  const id = await readId(call, problems, "tx-id", call.operands[1]);
  const { kind, inherit } = call.flags;
  const typed = await bodyFromFlags(call, problems);
  const now = call.app.clock.now();
  if (inherit) {
    judgeInheriting(problems, typed, now);
    return { relayerId, id, kind: "evm", typed, inherits: true };
  }
  const judged = judgeReplacement(problems, typed, isNetworkKind(kind) ? kind : undefined, now);
  return { relayerId, id, kind: judged, typed, inherits: false };
}
