import { readId } from "../../command-support/ids.ts";
import { effectTexts } from "../../contract/effect/texts.ts";
import { isNetworkKind, NETWORK_KINDS } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { SPEEDS } from "../../contract/transaction/replacement.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import { transactionView } from "../../views/transaction/record.ts";
import type { Call, CommandFile } from "../command.ts";
import { BODY_FILE, DIFF } from "../flags/options.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { pendingArguments } from "./arguments.ts";
import { type BodyFlags, bodyFromFlags } from "./body/body-flags.ts";
import { defineCallFlags, requireContract } from "./call/call-flags.ts";
import { checkRaisedCaps } from "./raised-cap/alone.ts";
import { validateInheriting } from "./replacement/inherit.ts";
import { FORCE, type ForceFlag } from "./replacement/refuse-obstacle.ts";
import { validateReplacement } from "./replacement/replace-body.ts";
import { type Replacing, readsFirst, sendReplacement } from "./replacement/send-replacement.ts";
import {
  defineSimulationFlags,
  SIMULATION_ENDS,
  type SimulationFlags,
  validateSimulation,
} from "./simulation/flags.ts";
import { defineWriteWaitFlags, isWaiting, WAIT_ENDS, type WriteWaitFlags, writeWaitPlan } from "./wait/flags.ts";

const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to @treasury";

type Flags = BodyFlags & ForceFlag & SimulationFlags & WriteWaitFlags;

/** `relayctl tx replace <relayer-id> <tx-id>` (interface 4.3). Never sent again once it may have left. */
export const txReplace: CommandFile<Flags, Replacing> = {
  summary: "Replace a pending transaction",
  sends: "once",
  spends: true,
  ends: {
    conflict: "no longer pending, never broadcast if it were sent, or the relayer is paused or disabled",
    ...SIMULATION_ENDS,
    ...WAIT_ENDS,
  },
  examples: [
    `relayctl tx replace ${PENDING} --value 0.25eth --gas-limit 21000 --speed fastest --yes`,
    "relayctl tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --inherit --speed fastest --yes",
    "relayctl tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5 --network mainnet --operations payment.json --memo text:refund --curl",
  ],
  resource: transactionView,
  waits: isWaiting,
  args: pendingArguments("replaced"),
  readsFirst: ({ flags }: { flags: Flags }) => readsFirst(flags),
  define,
  interview: async (call) => (await import("./interview/replace.ts")).replaceInterview(call),
  prepare,
  run: async (call, replacing) => {
    await checkRaisedCaps(call, [replacing.relayerId], false);
    return await sendReplacement(call, replacing);
  },
};

function define(command: CommandSyntax): void {
  command
    .description(
      `Replace a pending transaction. The body is exactly what you specify: without --inherit, nothing is copied from the earlier version. Once signed, the earlier version ${effectTexts.staysValid}.`,
    )
    .optionsGroup("EVM")
    .option("--to <address>", "Receiver: 20 bytes of hex, with the checksum verified")
    .option(
      "--value <amount>",
      "Amount, e.g. 0.25eth (or the network's own coin) or 80gwei, or digits for wei (required)",
    )
    .option("--data <hex>", "Call data; requires --gas-limit");
  defineCallFlags(command)
    .option("--gas-limit <gas>", "Gas limit (default: 21000, set by the service when it signs)")
    .option("--no-gas-limit", "Send null")
    .option("--gas-price <amount>", "Legacy gas price, e.g. 30gwei; below 1 gwei, specify the unit, e.g. 80wei")
    .option("--max-fee-per-gas <amount>", "EIP-1559 price, e.g. 30gwei")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip, e.g. 2gwei")
    .choice("--speed <speed>", "Speed, for which the service sets the price", SPEEDS)
    .option("--valid-until <time>", "Expiration time in RFC 3339 with a zone; Stellar also takes Unix seconds")
    .option("--no-valid-until", "Send null")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction");
  defineStellar(command)
    .optionsGroup("Request")
    .choice("--kind <kind>", "Relayer kind, if the other flags leave it open", NETWORK_KINDS)
    .option("--inherit", "Copy --to, --value, --data, and --gas-limit from the transaction unless specified (EVM only)")
    .option(...FORCE)
    .option(...BODY_FILE)
    .option(...DIFF);
  defineSimulationFlags(command.option(...LOST_LINES));
  defineWriteWaitFlags(command);
}

function defineStellar(command: CommandSyntax): CommandSyntax {
  return command
    .optionsGroup("Stellar")
    .option("--network <name>", "Network name (required)")
    .option("--source-account <account>", "Account that sends")
    .option("--no-source-account", "Send null")
    .option(
      "--operations <file>",
      "Read a JSON list of operations from a file (`-` for stdin); not with --transaction-xdr",
    )
    .option("--no-operations", "Send null")
    .option("--transaction-xdr <base64>", "Built transaction, signed or not")
    .option("--no-transaction-xdr", "Send null")
    .option("--memo <type[:value]>", "Memo: none, text:WORDS, id:7, or hash:HEX or return:HEX with 64 hex digits")
    .option("--no-memo", "Send null")
    .option("--fee-bump", "Wrap a signed --transaction-xdr in a fee bump")
    .option("--no-fee-bump", "Send false")
    .option("--max-fee <amount>", "Highest fee, e.g. 0.1xlm, or digits for stroops (default: 1,000,000 stroops)")
    .option("--no-max-fee", "Send null");
}

async function prepare(call: Call<Flags>, problems: Problems): Promise<Replacing> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const id = await readId(call, problems, "tx-id", call.args[1]);
  const { kind, inherit } = call.flags;
  const typed = await bodyFromFlags(call, problems);
  const wait = writeWaitPlan(call, problems);
  const now = call.app.clock.now();
  if (inherit) {
    validateInheriting(problems, typed, now);
    return { relayerId, id, kind: "evm", typed, inherits: true, wait };
  }
  requireContract(problems, call.flags, typed.named);
  const validated = validateReplacement(problems, typed, isNetworkKind(kind) ? kind : undefined, now);
  validateSimulation(call, problems, validated);
  return { relayerId, id, kind: validated, typed, inherits: false, wait };
}
