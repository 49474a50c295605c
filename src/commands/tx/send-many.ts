import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../contract/problems.ts";
import { SPEEDS } from "../../contract/transaction/replacement.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import { paymentView } from "../../views/payment.ts";
import { defineThrottleRate } from "../bulk/flags.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { senderArgument } from "./arguments.ts";
import type { PaymentFlags } from "./send-many/flags.ts";
import type { TypedRun } from "./send-many/typed-run.ts";
import { defineWriteWaitFlags, WAIT_ENDS } from "./wait/flags.ts";

/** `relayctl tx send-many <relayer-id> -f payouts.csv`: no payment is ever sent twice by itself (facts 5.3, 15.11). */
export const txSendMany: CommandFile<PaymentFlags, TypedRun> = {
  summary: "Send the payments of a file, each at most once",
  sends: "once",
  refuses: { curl: "not supported: a payment is recorded before it is sent" },
  spends: true,
  ends: {
    ok: "every payment was accepted, or with --wait confirmed",
    conflict: "the relayer is paused or disabled, another process sends the file, or the file was begun before",
    unknown: "the responses to some payments were lost, and their transactions were not found",
    partial: "some payments were refused, not started, or failed",
    io: "the journal cannot be written, or lost lines",
    ...WAIT_ENDS,
    unmet: false,
  },
  examples: [
    "relayctl tx send-many base-hot -f payouts.csv --speed fast --confirm 0.03eth",
    "relayctl tx send-many base-hot -f payouts.csv --speed fast --dry-run",
    "relayctl tx send-many base-hot -f payouts.csv --speed fast --confirm 0.03eth --resume --wait -o json",
  ],
  resource: paymentView,
  args: [{ ...senderArgument, description: "ID of the relayer that pays" }],
  paginates: true,
  readsFirst: true,
  define,
  prepare,
  run: async (call, typed) => (await import("./send-many/run-payments.ts")).runPayments(call, typed),
};

function define(command: CommandSyntax): void {
  command
    .description(
      "Send the payments of a file from an EVM relayer, several at a time. All rows are validated first; then you type the sum to confirm it, or specify it with --confirm. Each payment is recorded in the journal before it is sent, with a gas limit that no other row has. If its response is lost, the transaction is found by that gas limit; otherwise the row is unknown, and never sent again by itself. With --resume, the command continues after a failure, Ctrl-C, or a kill: rows that were accepted or are unknown are not sent again.",
    )
    .optionsGroup("Payments")
    .option(
      "-f, --file <file>",
      "File of payments, CSV or NDJSON: to, value, and perhaps label, data, gas_limit, speed (required)",
    )
    .choice("--speed <speed>", "Speed of rows without a price", SPEEDS)
    .option("--abi <file>", "ABI of the functions that rows call by name: JSON, or an artifact of Foundry or Hardhat")
    .option("--allow-duplicates", "Accept rows with the same receiver, amount, and data")
    .optionsGroup("Run")
    .option("--max-in-flight <n>", "Send this many payments at once (1–100; default: 8)");
  defineThrottleRate(command)
    .option("--stop-after <n>", "Start no further payment after this many failures (default: 10)")
    .option("--resume", "Continue the run of this file, or start it if it was never begun")
    .option("--run <id>", "Run to resume (default: the newest one of the file)")
    .option("--again", "Pay a file again that was begun before, as a new run")
    .option(
      "--assume-not-sent <row>",
      "Send an unknown row again, although it may have been sent (repeatable; with --resume)",
      "values",
    )
    .option("--report <file>", "Write what became of each row to a file: CSV, or JSON with the sums, by its extension")
    .option("--state <folder>", "Keep the run in this folder (default: in the journal)")
    .option(...LOST_LINES);
  defineWriteWaitFlags(command);
}

async function prepare(call: Call<PaymentFlags>, problems: Problems): Promise<TypedRun> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const { typedRun } = await import("./send-many/typed-run.ts");
  return await typedRun(call, problems, relayerId);
}
