import { refuseChanged } from "../../../chain/bump/send-bump.ts";
import { unsignableReason } from "../../../chain/queue/unsent.ts";
import type { Client } from "../../../client/client.ts";
import { spelledFor } from "../../../client/respell.ts";
import { sendAlone } from "../../../command-support/journaling/alone.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import { operations } from "../../../contract/operations.ts";
import { type Replacement, SPEEDS } from "../../../contract/transaction/replacement.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import { nextWords, receiptWords } from "../../../session/receipt-words.ts";
import type { View } from "../../../terminal/view.ts";
import { hashesText, namingHash } from "../../../views/transaction/hashes.ts";
import type { Call } from "../../command.ts";
import { runBump } from "../../tx/bump/run-bump.ts";
import { cancelTransaction } from "../../tx/cancel.ts";
import { transactionBefore } from "../../tx/replacement/transaction-before.ts";
import { performTransaction, type Target } from "../../tx/transaction-write.ts";
import type { OwnStep } from "./choose-step.ts";
import type { Diagnosed } from "./read-diagnosis.ts";

/** Whether a step was applied, was not needed, or was refused because its transaction had changed since it was read. */
export type StepOutcome = "applied" | "not needed" | "changed";

/** Takes a step, and prints its receipt. A changed transaction is left to the next diagnosis. */
export async function takeStep(call: Call, found: Diagnosed, step: OwnStep): Promise<StepOutcome> {
  if (step.action === "wait") return "not needed";
  try {
    return (await printed(call, await stepView(call, found, step))) ? "applied" : "not needed";
  } catch (error) {
    const hasChanged = error instanceof RelayctlError && error.failure === "conflict" && error.retryable;
    if (!hasChanged) throw error;
    await call.say(`note: ${error.message}; nothing was sent`);
    return "changed";
  }
}

/** Takes a step that sends something, as its own command does, which in a dry run shows the requests instead. */
export async function stepView(
  call: Call,
  { queue: { relayerId }, diagnosis }: Diagnosed,
  step: Exclude<OwnStep, { action: "wait" }>,
): Promise<View> {
  const target = { relayerId, id: step.id };
  switch (step.action) {
    case "replace-by-nothing":
      return await replaceByNothing(call, target);
    case "cancel":
      return await cancelTransaction(call, { ...target, wait: undefined });
    case "bump":
    case "raise-cap": {
      const plan = { speed: step.speed, maxFee: undefined, repetition: undefined, wait: undefined };
      const raising = step.action === "raise-cap" ? { isKept: false } : undefined;
      const record = diagnosis.head?.record;
      // Another run may have sent it again since the diagnosis: then its record differs from this one.
      const named = record?.id === step.id ? { records: [{ ...target, record }] } : { targets: [target] };
      return await runBump(call, { named, ...plan, raising });
    }
  }
}

/** Prints the receipt of a step, whose result is not printed: the next diagnosis shows it. */
async function printed(call: Call, view: View): Promise<boolean> {
  if (view.kind !== "one") return false;
  const { receipt, failure } = view;
  await sayReceipt(call.say, receipt);
  // What is not known to be on its way yet may be mined all the same.
  if (failure && failure.failure !== "pending") throw failure;
  return receipt !== undefined;
}

/**
 * Replaces a transaction that can never be signed by a transfer of nothing to the relayer itself, which frees its nonce in
 * seconds, where a cancellation would leave a gap (facts 16.3).
 * @throws RelayctlError conflict if the transaction has changed
 */
async function replaceByNothing(call: Call, target: Target): Promise<View> {
  const { relayerId, id } = target;
  return await performTransaction<Transaction>(call, {
    verb: "replace",
    ...target,
    readsFirst: true,
    prepare: async ({ session, readCommand }) => {
      const earlier = await transactionBefore(call, session, { ...target, verb: "replace" }, readCommand);
      const before = earlier?.data;
      const reason = before && unsignableReason(before);
      if (!before || reason === undefined || typeof before.from !== "string")
        throw new RelayctlError("conflict", `transaction ${id} has changed since it was read`, {
          because: ["nothing was sent"],
          hint: readCommand,
          retryable: true,
        });
      const body = nothingFrom(before.from, before);
      const sendUnchanged = async ({ tx }: Client) => {
        const { data: newest } = await tx.get(relayerId, id);
        refuseChanged(before, newest);
        return await tx.replace(relayerId, id, sent.body as unknown as Replacement, { before: newest });
      };
      const sent = spelledFor({ operation: operations["tx.replace"], parameters: {}, body }, before);
      return {
        body,
        before: earlier,
        symbol: undefined,
        preview: [
          `  now    nonce ${String(before.nonce)} to ${before.to ?? "a new contract"}: ${reason}`,
          `  after  0 wei to ${before.from}, the relayer itself`,
        ],
        effects: ["nothing is given up: the transaction could never be signed"],
        send: (client) =>
          namingHash(
            sendAlone(call, target, () => sendUnchanged(client)),
            before,
          ),
        receipt: (after) => ({
          applied: receiptWords.replaced(session.name, hashesText(before, after, "the no-op")),
          effects: [],
          next: nextWords.follow(readCommand),
        }),
      };
    },
  });
}

/** Returns the body of a transfer of nothing, at the transaction's own speed. */
function nothingFrom(from: string, { speed }: Transaction) {
  return { to: from, value: 0n, gas_limit: 21_000, speed: SPEEDS.find((each) => each === speed) ?? "fast" };
}
