import { refuseChanged } from "../../../chain/bump/send-bump.ts";
import { unsignableReason } from "../../../chain/queue/unsent.ts";
import type { Client } from "../../../client/client.ts";
import { spelledFor } from "../../../client/respell.ts";
import { sendAlone } from "../../../command-support/journaling/alone.ts";
import { nextWords, receiptWords } from "../../../command-support/receipt-words.ts";
import { operations } from "../../../contract/operations.ts";
import type { Replacement } from "../../../contract/transaction/replacement.ts";
import { SPEEDS } from "../../../contract/transaction/replacement.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { hashesText, namingHash } from "../../tx/record/hashes.ts";
import { transactionBefore } from "../../tx/replacement/transaction-before.ts";
import { performTransaction, type Target } from "../../tx/transaction-write.ts";

/**
 * Replaces a transaction that can never be signed by a transfer of nothing to the relayer itself, which frees its nonce in
 * seconds, where a cancellation would leave a gap (facts 16.3).
 * @throws RelayctlError conflict if the transaction has changed
 */
export async function replaceByNothing(call: Call, target: Target): Promise<View> {
  const { relayerId, id } = target;
  return await performTransaction<Transaction>(call, {
    verb: "replace",
    ...target,
    readsFirst: true,
    prepare: async ({ session, readCommand }) => {
      const earlier = await transactionBefore(call, { ...target, verb: "replace" }, readCommand);
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
