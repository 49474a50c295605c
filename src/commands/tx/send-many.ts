import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../contract/problems.ts";
import { paymentView } from "../../views/audit/audit.ts";
import { type Call, createCommand } from "../command.ts";
import { senderArgument } from "./arguments.ts";
import { notifyAfter } from "./notifying.ts";
import { definePaymentFlags, type PaymentFlags } from "./send-many/flags.ts";
import type { TypedRun } from "./send-many/typed-run.ts";
import { WAIT_ENDS } from "./wait/flags.ts";

/** `relayctl tx send-many <relayer-id> -f payouts.csv`: no payment is automatically sent twice (facts 5.3, 15.11). */
export const txSendMany = createCommand({
  summary: "Send the payments of a file, each at most once",
  sends: "once",
  refuses: { curl: "not supported: a payment is recorded before it is sent" },
  spends: true,
  ends: {
    ok: "every payment was accepted, or with --wait confirmed",
    conflict: "the relayer is paused or disabled, another process sends the file, or the file was already started",
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
  description:
    "Send the payments of a file from an EVM relayer, several at a time. All rows are validated first; then you type the sum to confirm it, or specify it with --confirm. Each payment is recorded in the journal before it is sent, with a gas limit that no other row has. If its response is lost, the transaction is found by that gas limit; otherwise the row is unknown, and never sent again by itself. With --resume, the command continues after a failure, Ctrl-C, or a kill: rows that were accepted or are unknown are not sent again.",
  define: definePaymentFlags,
  prepare: prepareSendMany,
  run: async (call, typed) => {
    const { runPayments } = await import("./send-many/run-payments.ts");
    return await notifyAfter(call, "tx send-many", () => runPayments(call, typed));
  },
});

async function prepareSendMany(call: Call<PaymentFlags>, problems: Problems): Promise<TypedRun> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const { typedRun } = await import("./send-many/typed-run.ts");
  return await typedRun(call, problems, relayerId);
}
