import type { ApiResult } from "../../client/api-result.ts";
import type { Completed } from "../../client/bulk/run-all.ts";
import { bulkVerbs } from "../../client/bulk/verbs.ts";
import type { Client } from "../../client/client.ts";
import { bulkView } from "../../command-support/bulk/view.ts";
import { runWrites, type WriteThrottle } from "../../command-support/bulk/writes.ts";
import { askConsent, type ConsentQuestion, requireConsentForSet } from "../../command-support/consent/consent.ts";
import { questionIn } from "../../command-support/consent/write-consent.ts";
import { readId } from "../../command-support/ids.ts";
import { receiptOf, withHint } from "../../command-support/receipt.ts";
import { isShown, showRequests } from "../../command-support/shown.ts";
import { isShownInCoin } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import { grouped } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import { type NetworkKind, networkKind } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isBeingCanceled, isPending, statusOf } from "../../contract/transaction/transaction-state.ts";
import { nextWords, receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { Ending, View } from "../../terminal/view.ts";
import { aligned } from "../../terminal/width.ts";
import { shownField } from "../../views/transaction/body-rows.ts";
import { cancellationEffects, gapWords } from "../../views/transaction/cancellation-effects.ts";
import { namingHash } from "../../views/transaction/hashes.ts";
import { transactionView, transactionViewIn } from "../../views/transaction/record.ts";
import { bulkThrottle, defineThrottleFlags, type ThrottleFlags } from "../bulk/flags.ts";
import { shownSymbol } from "../coins/drawn-symbol.ts";
import type { Call, CommandFile } from "../command.ts";
import { senderArgument } from "./arguments.ts";
import { pendingTransactions } from "./cancel-pending/pending.ts";
import { checkRaisedCaps } from "./raised-cap/alone.ts";
import { readRelayerBefore } from "./replacement/transaction-before.ts";
import {
  defineWriteWaitFlags,
  isWaiting,
  WAIT_ENDS,
  type WaitPlan,
  type WriteWaitFlags,
  writeWaitPlan,
} from "./wait/flags.ts";

const ACT = "canceling all pending transactions";
/** The maximum number of transactions in a prompt. */
const MOST_SHOWN = 20;
const COLUMNS = ["id", "status", "nonce", "to", "value"];

/** Returns one prompt for all of them; a protected context requires typing its name. */
function setQuestion(session: Session, relayerId: string, found: readonly Transaction[]): ConsentQuestion {
  return {
    question: questionIn(session, setTitle(relayerId, found)),
    act: ACT,
    sort: session.protected ? { type: session.name } : "yes",
  };
}

function setTitle(relayerId: string, { length }: readonly Transaction[]): string {
  return `cancel ${length} ${length === 1 ? "transaction" : "transactions"} of ${relayerId}`;
}

/** Returns the transactions to cancel, and the effects. @param symbol the symbol of the network's coin, if known */
function setLines(
  { name, flags }: Session,
  { relayerId, kind, symbol }: { relayerId: string; kind: NetworkKind; symbol: string | undefined },
  found: readonly Transaction[],
): string[] {
  const coin = currencyOf("evm", symbol);
  const rows = found
    .slice(0, MOST_SHOWN)
    .map((transaction) => COLUMNS.map((key) => shownField(key, transaction[key], coin)));
  const more = found.length - rows.length;
  return [
    `${setTitle(relayerId, found)} in ${name}`,
    ...aligned(rows).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    ...cancellationEffects(found, kind, (id) => commandLine(...flags, "tx", "replace", relayerId, id, "--interactive")),
  ];
}

type Flags = ThrottleFlags & WriteWaitFlags;

interface Typed {
  relayerId: string;
  throttle: WriteThrottle;
  wait: WaitPlan | undefined;
}

/** `relayctl tx cancel-pending <relayer-id>`: one by one, since the service's own cancels nothing (facts 5.6). */
export const txCancelPending: CommandFile<Flags, Typed> = {
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
  waits: isWaiting,
  readsFirst: true,
  define(command) {
    command.description(
      "List the transactions that are pending, sent, or submitted and not being canceled, ask once, and cancel each one separately, oldest first. The service's own bulk call cancels nothing and is not used.",
    );
    defineThrottleFlags(command.optionsGroup("Bulk"));
    defineWriteWaitFlags(command);
  },
  prepare: async (call, problems) => ({
    relayerId: await readId(call, problems, "relayer-id", call.args[0]),
    throttle: bulkThrottle(call.flags, problems),
    wait: writeWaitPlan(call, problems),
  }),
  run,
};

async function run(call: Call<Flags>, { relayerId, throttle, wait }: Typed): Promise<View> {
  if (!isShown(call)) requireConsentForSet(call, ACT);
  await checkRaisedCaps(call, [relayerId], false);
  const session = await call.session();
  if (wait && !isShown(call)) await (await import("./wait/after-write.ts")).requireReachable(call, relayerId, wait);
  const found = await pendingTransactions(session.client, relayerId, isLive);
  if (isShown(call))
    return await showRequests(
      call,
      found.map(({ id }) => requestFor(relayerId, id)),
      true,
    );
  const [first] = found;
  const relayer = first && (await readRelayerBefore(call, { relayerId, verb: "cancel" }));
  const kind = networkKind(relayer);
  const hasCoin = found.some(({ value }) => isShownInCoin(value));
  const symbol = hasCoin ? await shownSymbol(call, relayerId, { relayer }) : undefined;
  if (first)
    await askConsent(
      call,
      setQuestion(session, relayerId, found),
      setLines(session, { relayerId, kind, symbol }, found),
    );
  const { interrupt } = call.app;
  const verb = bulkVerbs.cancel;
  const run = runWrites(call, session, { ...throttle, ...verb }, (client) =>
    found.map((before) => ({ id: before.id, run: () => canceled(relayerId, { before, kind }, client, session) })),
  );
  const nonces = new Map(found.map(({ id, nonce }) => [id, nonce ?? null]));
  const receipt = (completed: Results) => receiptLines(completed, { relayerId, nonces }, session);
  const view = bulkView({ run, resource: transactionViewIn(() => symbol), session, interrupt, verb, receipt });
  const nothing = `nothing is pending on ${relayerId} in ${session.name}; nothing was sent`;
  if (!wait || found.length === 0) return { ...view, ...(found.length === 0 && { nothing }) };
  const completed = new Map((await run.done).map(({ id, value }) => [id, value?.data]));
  const accepted = found.flatMap((before) => {
    const after = completed.get(before.id);
    return after ? [[before, after] as const] : [];
  });
  const { followCancellations } = await import("./wait/after-write.ts");
  return await followCancellations(call, view, { relayerId, plan: wait, accepted });
}

/** Returns whether a transaction is pending and its cancellation is not requested. */
function isLive(transaction: Transaction): boolean {
  return isPending(transaction) && !isBeingCanceled(transaction);
}

function requestFor(relayerId: string, id: string) {
  return { operation: operations["tx.cancel"], parameters: { relayer_id: relayerId, transaction_id: id } };
}

async function canceled(
  relayerId: string,
  facts: { before: Transaction; kind: NetworkKind },
  client: Client,
  { flags }: Session,
) {
  const { before } = facts;
  const sent = namingHash(client.tx.cancel(relayerId, before.id, facts), before);
  return await withHint(sent, commandLine(...flags, "tx", "get", relayerId, before.id));
}

type Results = readonly Completed<ApiResult<Transaction>>[];

/** The transactions before cancellation: a response need not have the nonce. */
interface Canceling {
  relayerId: string;
  nonces: ReadonlyMap<string, JsonValue>;
}

function receiptLines(completed: Results, { relayerId, nonces }: Canceling, { name, flags }: Session): Ending {
  if (completed.length === 0) return {};
  const values = completed.flatMap(({ id, value }) => (value ? [{ id, value }] : []));
  const notes = values.flatMap(({ id, value }) => receiptOf(value, []).map((line) => `${id}: ${line}`));
  const done = values.flatMap(({ id, value: { data } }) =>
    statusOf(data) === "canceled" ? [{ ...data, nonce: data.nonce ?? nonces.get(id) ?? null }] : [],
  );
  const open = values.length - done.length;
  const counts = receiptWords.cancellations(name, [values.length, completed.length, done.length, open]);
  const lines = [...notes, counts, ...gapWords(done)];
  return {
    ...(values.length > 0 ? { receipt: lines } : { notes: lines }),
    next: open > 0 ? [nextWords.follow(commandLine(...flags, "tx", "list", relayerId))] : [],
  };
}
