import { bulkVerbs, type Completed } from "../../client/bulk/run-all.ts";
import { type ApiResult, apiRequest } from "../../client/request.ts";
import { relayerCoinSymbol } from "../../coins/coin-symbol.ts";
import { bulkWriteItem, performBulkWrites, type WriteThrottle } from "../../command-support/bulk/writes.ts";
import { requireConsentForSet } from "../../command-support/consent/consent.ts";
import { readId } from "../../command-support/ids.ts";
import { writeNotes } from "../../command-support/prepared-write.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import { isDryRun } from "../../command-support/shown.ts";
import { currencyOf, isPositive } from "../../contract/amount.ts";
import { groupDigits } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import { type NetworkKind, networkKind } from "../../contract/network-kind.ts";
import { isPending, isTxBeingCanceled, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import type { Message } from "../../message.ts";
import { receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { Ending, View } from "../../terminal/view.ts";
import { alignWidths, columnWidth } from "../../terminal/width.ts";
import { shownBodyField } from "../../views/transaction/body-rows.ts";
import { cancellationOutcomes, nonceGapNotes } from "../../views/transaction/outcome.ts";
import { transactionView, transactionViewIn } from "../../views/transaction/record.ts";
import { bulkThrottleFlags, defineBulkThrottleFlags } from "../bulk/flags.ts";
import { drawsSymbol } from "../coins/drawn-symbol.ts";
import { type Call, type CommandSyntax, createCommand, type ParsedFlags } from "../command.ts";
import { senderArgument } from "./arguments.ts";
import { cancelPendingOne, pendingTransactions } from "./cancel-pending/pending.ts";
import { checkRaisedCaps } from "./raised-caps.ts";
import { relayerBeforeReplacement } from "./replacement/transaction-before.ts";
import { defineWriteWaitFlags, WAIT_ENDS, type WaitPlan, waitsAfterWrite, writeWaitPlan } from "./wait/flags.ts";

const ACT = "canceling all pending transactions";
const MOST_SHOWN = 20;
const COLUMNS = ["nonce", "status", "value", "to"];

function setTitle(relayerId: string, { length }: readonly Transaction[]): string {
  return `cancel ${length} ${length === 1 ? "transaction" : "transactions"} of ${relayerId}`;
}

function setLines(
  { name, flags }: Session,
  { relayerId, kind, symbol }: { relayerId: string; kind: NetworkKind; symbol: string | undefined },
  found: readonly Transaction[],
): Message[] {
  const coin = currencyOf("evm", symbol);
  const listed = found.slice(0, MOST_SHOWN);
  const rows = listed.map((transaction) => COLUMNS.map((key) => shownBodyField(key, transaction[key], coin)));
  const more = found.length - rows.length;
  const below = " ".repeat(columnWidth([...rows, COLUMNS].map(([nonce = ""]) => nonce)) + 4);
  // The ID stands below its row: next to the receiver, both would not fit into 100 columns.
  const lines = alignWidths([COLUMNS, ...rows]).flatMap((line, index): Message[] => [
    line,
    ...(listed[index - 1] ? [below + listed[index - 1]?.id] : []),
  ]);
  return [
    `${setTitle(relayerId, found)} in ${name}`,
    ...lines,
    ...(more > 0 ? [`  and ${groupDigits(more)} more`] : []),
    ...cancellationOutcomes(found, kind, (id) =>
      commandLine(...flags, "tx", "replace", relayerId, id, "--interactive"),
    ),
  ];
}

/** `relayctl tx cancel-pending <relayer-id>`: one by one, since the service's bulk call cancels nothing (facts 5.6). */
export const txCancelPending = createCommand({
  summary: "Request cancellation of all of a relayer's pending transactions",
  sends: "remove",
  spends: true,
  ends: {
    ok: "requested, or nothing is pending",
    conflict: "none is pending anymore, or the relayer is paused or disabled",
    partial: "some failed",
    ...WAIT_ENDS,
    mismatch: "accepted, but nothing was canceled, or it came too late (--wait)",
  },
  examples: [
    "relayctl tx cancel-pending eth-main-1 --yes",
    "relayctl tx cancel-pending eth-main-1 --dry-run",
    "relayctl tx cancel-pending eth-main-1 --yes --rate 5/s -o name",
  ],
  resource: transactionView,
  args: [senderArgument],
  paginates: true,
  waits: waitsAfterWrite,
  readsFirst: true,
  description:
    "List the transactions that are pending, sent, or submitted and not being canceled, ask once, and cancel each one separately, oldest first. The service's own bulk call cancels nothing and is not used.",
  define: defineCancelPending,
  prepare: async (call, problems) => ({
    relayerId: await readId(call, problems, "relayer-id", call.args[0]),
    throttle: bulkThrottleFlags(call.flags, problems),
    wait: writeWaitPlan(call, problems),
  }),
  run: runCancelPending,
});

function defineCancelPending(command: CommandSyntax) {
  return command.optionsGroup("Bulk").include(defineBulkThrottleFlags).include(defineWriteWaitFlags);
}

async function runCancelPending(
  call: Call<ParsedFlags<typeof defineCancelPending>>,
  { relayerId, throttle, wait }: { relayerId: string; throttle: WriteThrottle; wait: WaitPlan | undefined },
): Promise<View> {
  const session = await call.session();
  if (!isDryRun(call)) requireConsentForSet(call, session, ACT);
  await checkRaisedCaps(call, [relayerId], false);
  if (wait && !isDryRun(call)) await (await import("./wait/wait-for.ts")).requireWaitable(session, relayerId, wait);
  const found = await pendingTransactions(session.client, relayerId, isLive);
  const asks = found.length > 0 && !isDryRun(call);
  const relayer = asks ? await relayerBeforeReplacement(session, { relayerId, verb: "cancel" }) : undefined;
  const kind = networkKind(relayer);
  const isAsked = canPrompt(call.app, call.common) && !call.common.yes;
  const hasCoin = found.some(({ value }) => isPositive(value)) && (isAsked || drawsSymbol(call));
  const symbol = asks && hasCoin ? await relayerCoinSymbol(session, relayerId, relayer) : undefined;
  const nonces = new Map(found.map(({ id, nonce }) => [id, nonce ?? null]));
  const { view, done } = await performBulkWrites<ApiResult<Transaction>>(call, session, {
    title: setTitle(relayerId, found),
    act: ACT,
    requests: found.map(({ id }) => apiRequest("tx.cancel", { relayer_id: relayerId, transaction_id: id })),
    lines: setLines(session, { relayerId, kind, symbol }, found),
    isSettled: !asks,
    throttle,
    progress: bulkVerbs.cancel,
    nothing: `nothing is pending on ${relayerId} in ${session.name}; nothing was sent`,
    itemOf: bulkWriteItem,
    resource: transactionViewIn(() => symbol),
    jobsOver: (client) =>
      found.map((before) => ({
        id: before.id,
        run: () => cancelPendingOne(client, session, relayerId, { before, kind }),
      })),
    receipt: (completed) => receiptLines(completed, { relayerId, nonces }, session),
  });
  if (!wait || !done || view.kind !== "list" || found.length === 0) return view;
  const completed = new Map((await done).map(({ id, value }) => [id, value?.data]));
  const targets = found.flatMap((before) => {
    const after = completed.get(before.id);
    return after ? [{ relayerId, id: before.id, records: [before, after], wanted: "cancellation" as const }] : [];
  });
  const { waitForMany } = await import("./wait/wait-for.ts");
  return await waitForMany(call, view, { targets, plan: wait });
}

function isLive(transaction: Transaction): boolean {
  return isPending(transaction) && !isTxBeingCanceled(transaction);
}

function receiptLines(
  completed: readonly Completed<ApiResult<Transaction>>[],
  { relayerId, nonces }: { relayerId: string; nonces: ReadonlyMap<string, JsonValue> },
  { name, flags }: Session,
): Ending {
  if (completed.length === 0) return {};
  const values = completed.flatMap(({ id, value }) => (value ? [{ id, value }] : []));
  const notes = values.flatMap(({ id, value }) => writeNotes(value, `${id}: `));
  const done = values.flatMap(({ id, value: { data } }) =>
    txStatus(data) === "canceled" ? [{ ...data, nonce: data.nonce ?? nonces.get(id) ?? null }] : [],
  );
  const open = values.length - done.length;
  const counts = receiptWords.cancellations(name, [values.length, completed.length, done.length, open]);
  return {
    ...(values.length > 0 ? { receipt: [...notes, counts, ...nonceGapNotes(done)] } : { notes: [counts.done] }),
    next: open > 0 ? [{ follow: commandLine(...flags, "tx", "list", relayerId) }] : [],
  };
}
