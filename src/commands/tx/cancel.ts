import { relayerCoinSymbol } from "../../coins/coin-symbol.ts";
import { readId } from "../../command-support/ids.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { currencyOf, isPositive } from "../../contract/amount.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import { isFinal, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import type { ReceiptOutcome } from "../../message.ts";
import { receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import { cancellationLines, isCanceledAlready } from "../../views/transaction/cancellation.ts";
import { hashFacts, hashKept, withHashInError } from "../../views/transaction/hashes.ts";
import { cancellationOutcomes, nonceGapNotes, openEnds } from "../../views/transaction/outcome.ts";
import { transactionView } from "../../views/transaction/record.ts";
import { type Call, createCommand, DIFF } from "../command.ts";
import { pendingArguments } from "./arguments.ts";
import { type Manner, typedManner } from "./manner.ts";
import { checkRaisedCaps } from "./raised-caps.ts";
import { type Foreseen, foreseeReplacement } from "./replacement/foresee.ts";
import { FORCE, type ForceFlag } from "./replacement/prediction-words.ts";
import { transactionBefore } from "./replacement/transaction-before.ts";
import {
  type Earlier,
  followWrite,
  type PreparedTransaction,
  performTransaction,
  type TxTarget,
  type WriteContext,
} from "./transaction-write.ts";
import { defineWriteWaitFlags, WAIT_ENDS, type WaitPlan, waitsAfterWrite, writeWaitPlan } from "./wait/flags.ts";

const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

interface Typed extends TxTarget {
  wait: WaitPlan | undefined;
}

/** `relayctl tx cancel <relayer-id> <tx-id>` (facts 5.5). An accepted cancellation is not yet done. */
export const txCancel = createCommand({
  summary: "Request cancellation of a pending transaction",
  sends: "remove",
  spends: true,
  ends: {
    ok: "requested, or already requested",
    conflict: "no longer pending, or the relayer is paused or disabled",
    ...WAIT_ENDS,
    mismatch: "accepted, but nothing was canceled, or it came too late (--wait)",
  },
  examples: [
    `relayctl tx cancel ${PENDING} --yes`,
    `relayctl tx cancel ${PENDING} --yes -o json`,
    `relayctl tx cancel ${PENDING} --dry-run --diff`,
  ],
  resource: transactionView,
  waits: waitsAfterWrite,
  args: pendingArguments("canceled", true),
  description:
    "Request cancellation of a pending transaction. A transaction that was never broadcast is canceled at once. Any other transaction competes with a transfer of zero value, and the original may still be mined: check the outcome with `relayctl tx get`.",
  define: (command) =>
    command
      .option(...FORCE)
      .option(...DIFF)
      .include(defineWriteWaitFlags),
  prepare: async (call, problems) => ({
    relayerId: await readId(call, problems, "relayer-id", call.args[0]),
    id: await readId(call, problems, "tx-id", call.args[1]),
    wait: writeWaitPlan(call, problems),
  }),
  run: async (call, target) => {
    await checkRaisedCaps(call, [target.relayerId], false);
    return await cancelTransaction(call, target);
  },
});

export async function cancelTransaction(call: Call<DiffFlag & ForceFlag>, target: Typed): Promise<View> {
  const manner = typedManner(call);
  const prepare = (surroundings: WriteContext) => prepareCancellation(target, surroundings, manner);
  const performed = await performTransaction<Transaction>(call, { verb: "cancel", ...target, prepare });
  return await followWrite(call, performed);
}

async function prepareCancellation(
  { relayerId, id }: TxTarget,
  { session, readCommand }: WriteContext,
  manner: Manner,
): Promise<PreparedTransaction<Transaction>> {
  const earlier = await transactionBefore(session, { relayerId, id, verb: "cancel" }, readCommand);
  const before = earlier?.data;
  const foreseen = earlier && (await foreseeCancellation(session, { relayerId, id }, earlier, manner));
  const hasCoin = isPositive(before?.value) && (manner.isShown || manner.drawsAmounts);
  const symbol = hasCoin ? await relayerCoinSymbol(session, relayerId, earlier?.relayer) : undefined;
  const replace = () => commandLine(...session.flags, "tx", "replace", relayerId, id, "--interactive");
  return {
    before: earlier,
    already: earlier && isCanceledAlready(earlier.data, earlier.state),
    symbol,
    preview: [...cancellationLines(before, currencyOf("evm", symbol)), ...(foreseen?.rows ?? [])],
    effects: earlier && cancellationOutcomes([earlier.data], earlier.kind, replace),
    followable: foreseen?.followable,
    send: (client) => withHashInError(client.tx.cancel(relayerId, id, { before, kind: earlier?.kind }), before),
    receipt: (after) => ({
      applied: acceptedOutcome(after, before, session),
      details: openEnds(after),
      effects: [
        ...(txStatus(after) === "canceled"
          ? nonceGapNotes([{ ...after, nonce: after.nonce ?? before?.nonce ?? null }])
          : []),
        ...hashKept(session, before),
      ],
      next: isFinal(txStatus(after)) ? { see: readCommand } : { follow: readCommand },
    }),
  };
}

function acceptedOutcome(after: Transaction, before: Transaction | undefined, { name }: Session): ReceiptOutcome {
  if (txStatus(after) === "canceled")
    return receiptWords.canceled(name, String(after.id), typeof after.hash === "string");
  return receiptWords.cancellation(name, hashFacts(before, after, "the no-op"));
}

async function foreseeCancellation(
  session: Session,
  target: TxTarget,
  earlier: Earlier,
  manner: Manner,
): Promise<Foreseen | undefined> {
  const { data, state, kind } = earlier;
  if (state.status !== "submitted" || !isServiceRecord(data, kind) || isCanceledAlready(data, state)) return undefined;
  return await foreseeReplacement(session, { change: "cancel", ...target }, earlier, manner);
}
