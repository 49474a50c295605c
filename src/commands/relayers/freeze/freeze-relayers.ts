import { bulkFailure, bulkVerbs, type Completed, runAll } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import type { Clock } from "../../../client/clock.ts";
import { apiRequest } from "../../../client/request.ts";
import { coinSymbolsFor } from "../../../coins/coin-symbol.ts";
import { performBulkWrites, type WriteThrottle } from "../../../command-support/bulk/writes.ts";
import { writeNotes } from "../../../command-support/prepared-write.ts";
import { isDryRun } from "../../../command-support/shown.ts";
import { currencyOf, formatAmount, isPositive, wireAmount } from "../../../contract/amount.ts";
import { firstNames, groupDigits, pluralize } from "../../../contract/decimal.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isUnsignedTx, type Transaction } from "../../../contract/transaction/transaction.ts";
import { type RelayctlError, rescue } from "../../../errors.ts";
import type { Message } from "../../../message.ts";
import { type FreezePlan, planFreeze } from "../../../relayer-state/freeze-plan.ts";
import { collectPendingOnce } from "../../../session/collect.ts";
import { receiptWords, wordsWithIds } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { escapeText } from "../../../terminal/escape.ts";
import { type Ending, toCell, type View } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import {
  type Frozen as FrozenOf,
  type FrozenRelayer,
  frozenRelayer,
  frozenView,
  type OpenBecause,
} from "../../../views/freeze.ts";
import type { BulkFlags, Targets } from "../../bulk/flags.ts";
import type { Call } from "../../command.ts";
import { cancelPendingOne } from "../../tx/cancel-pending/pending.ts";
import { manyCount, typedManyCount } from "../many/consent.ts";
import { manyTargets, movedList, needsChange, type Symbols, type Target, targetsWithDoubts } from "../many/targets.ts";
import { openUndoFile, type UndoFile } from "../many/undo-file.ts";
import { updateManyJob, updateManyUndo } from "../many/update-many.ts";

type FreezeTarget = Target & FreezePlan;

type Frozen = FrozenOf<FreezeTarget>;

function freezeLines(session: Session, targets: readonly FreezeTarget[], symbols: Symbols): Message[] {
  const [paused, others] = partition(targets, (target) => !needsChange(target));
  const [disabled, active] = partition(others, ({ before }) => before?.system_disabled === true);
  const unread = targets.filter(({ unread }) => unread !== undefined);
  const kept = targets.flatMap(({ id, before, others }) =>
    others.map(({ transaction, obstacle }) => ({ relayer: before, relayerId: id, transaction, because: obstacle })),
  );
  return [
    `freeze ${manyCount(targets)} in ${session.name}`,
    ...cancelLines(targets, symbols),
    ...nameTargets("pause", active),
    ...nameTargets("already paused", paused),
    ...nameTargets("disabled, so that the service may refuse the pause", disabled),
    ...nameTargets("transactions unknown, and not canceled", unread),
    ...(kept.length === 0 ? [] : [`  not canceled: ${pluralize(kept.length, "transaction")} that can still be mined`]),
    ...openLines(kept, symbols, "    "),
    `paused: ${effectTexts.whilePaused}`,
    ...(targets.some(({ cancels }) => cancels.length > 0) ? [STAYS_CANCELED] : []),
  ];
}

function cancelLines(targets: readonly FreezeTarget[], symbols: Symbols): string[] {
  const cancels = targets.flatMap((target) => target.cancels);
  if (cancels.length === 0) return ["  cancel: no transactions"];
  const unsigned = targets.flatMap((target) =>
    target.cancels.filter((each) => isUnsignedTx(each, networkKind(target.before))),
  );
  const atOnce = unsigned.length;
  const requested = cancels.length - atOnce;
  const payments = paymentSums(targets, symbols);
  return [
    `  cancel: ${pluralize(cancels.length, "transaction")} of ${manyCount(targets.filter((each) => each.cancels.length > 0))}`,
    ...(payments.length === 0 ? [] : [`  payments among them: ${payments.join(", ")}`]),
    ...(atOnce === 0 ? [] : [`    ${atOnce} not signed yet: canceled at once, unless the service signs it first`]),
    ...(requested === 0 ? [] : [`    ${requested} signed: ${effectTexts.onlyRequested}; ${effectTexts.mayBeMined}`]),
  ];
}

function nameTargets(label: string, targets: readonly FreezeTarget[]): string[] {
  if (targets.length === 0) return [];
  return [`  ${label}: ${manyCount(targets)}: ${firstNames(targets.map(({ id }) => id))}`];
}

function partition<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

export async function freezeRelayers(call: Call<BulkFlags>, { ids, throttle }: Targets): Promise<View> {
  const undoFile = isDryRun(call) ? undefined : await openUndoFile(call);
  try {
    const reading = { ...call, flags: { ...call.flags, diff: true as const } };
    const change = { needsKind: false, bodyFor: () => ({ paused: true }) };
    const { targets, moved } = await manyTargets(reading, ids, change);
    if (moved) await call.say({ note: movedList.words });
    const planned = await planFreeze(await call.session(), call.app, targets, throttle.concurrency);
    return await freezeTargets(call, { targets: planned, throttle, undoFile, isMoved: moved !== undefined });
  } catch (error) {
    await undoFile?.end();
    throw error;
  }
}

interface Planned {
  targets: readonly FreezeTarget[];
  throttle: WriteThrottle;
  undoFile: UndoFile | undefined;
  /** Whether the list changed during the read, so that relayers may be missing. */
  isMoved: boolean;
}

async function freezeTargets(call: Call, { throttle, undoFile, isMoved, ...planned }: Planned): Promise<View> {
  const session = await call.session();
  const targets = await targetsWithDoubts(call, planned.targets);
  const { interrupt, clock } = call.app;
  const paying = targets.filter(({ cancels, others }) =>
    [...cancels, ...others.map(({ transaction }) => transaction)].some(({ value }) => isPositive(value)),
  );
  const symbols = await coinSymbolsFor(
    session,
    paying.flatMap(({ before }) => before ?? []),
  );
  const lines = targets.length === 0 ? [] : freezeLines(session, targets, symbols);
  const frozen = new Map<string, Frozen>();
  const concurrency = Math.max(1, Math.floor(throttle.concurrency / Math.max(1, targets.length)));
  const { view } = await performBulkWrites<undefined>(call, session, {
    title: `freeze ${manyCount(targets)}`,
    act: "freezing relayers",
    // A number is not typed by habit, and canceled payments can't be restored.
    sort: targets.length > 1 ? { type: typedManyCount(targets) } : "yes",
    requests: targets.flatMap(freezeRequests),
    preview: lines,
    lines,
    isSettled: targets.every((target) => freezeRequests(target).length === 0),
    asked: { verb: "freeze", count: targets.length },
    throttle,
    progress: bulkVerbs.freeze,
    resource: frozenView,
    jobsOver: (client) =>
      targets.map((target) => ({
        id: target.id,
        run: async () => {
          const done = await freezeRelayer(target, { client, session, undoFile, interrupt, clock, concurrency });
          frozen.set(target.id, done);
          throwWhatEndsAll(done);
          return undefined;
        },
      })),
    itemOf({ id }) {
      const done = frozen.get(id);
      return done && isAnyApplied(done) ? frozenRelayer(done) : undefined;
    },
    async receipt() {
      const done = targets.flatMap(({ id }) => frozen.get(id) ?? []);
      return freezeReceipt(done, { session, symbols, kept: await undoFile?.end() });
    },
    failure: () =>
      freezeFailure(targets, frozen, interrupt) ?? (isMoved ? movedError(call, targets, frozen) : undefined),
  });
  return view;
}

function isAnyApplied({ cancellations, pause }: Frozen): boolean {
  return [...cancellations, pause].some((each) => each?.value !== undefined);
}

function movedError(call: Call, targets: readonly FreezeTarget[], frozen: ReadonlyMap<string, Frozen>): RelayctlError {
  const ended = targets.map(({ id }): Completed<unknown> => {
    const done = frozen.get(id);
    return done && isAnyApplied(done) ? { id, value: done } : { ...done?.pause, id };
  });
  return movedList.failure(call, ended);
}

function freezeRequests(target: FreezeTarget) {
  const { id, body, cancels } = target;
  return [
    ...cancels.map((each) => apiRequest("tx.cancel", { relayer_id: id, transaction_id: each.id })),
    ...(needsChange(target) ? [apiRequest("relayers.update", { relayer_id: id }, body)] : []),
  ];
}

interface Freezing {
  client: Client;
  session: Session;
  undoFile: UndoFile | undefined;
  interrupt: AbortSignal;
  clock: Pick<Clock, "now">;
  concurrency: number;
}

async function freezeRelayer(target: FreezeTarget, freezing: Freezing): Promise<Frozen> {
  const { client, session, interrupt, clock, concurrency } = freezing;
  const { id, cancels } = target;
  const kind = networkKind(target.before);
  const jobs = cancels.map((before) => ({
    id: before.id,
    run: () => cancelPendingOne(client, session, id, { before, kind }),
  }));
  const cancellations = await runAll(jobs, { concurrency, interrupt }).done;
  const pauses = await runAll([updateManyJob(target, freezing)], { concurrency: 1, interrupt }).done;
  const pause = pauses[0] ?? { id };
  const mayDiffer = pause.value !== undefined && !pause.already;
  const left = mayDiffer ? await rescue(collectPendingOnce(client, id), () => undefined) : undefined;
  return { target, cancellations, pause, left, at: clock.now() };
}

function throwWhatEndsAll({ cancellations, pause }: Frozen): void {
  const errors = [...cancellations, pause].flatMap(({ error }): RelayctlError[] => (error ? [error] : []));
  const end = errors.find(({ failure }) => failure === "auth" || failure === "rate_limited");
  if (end) throw end;
}

interface Receipted {
  session: Session;
  symbols: Symbols;
  /** The undo file's lines, which replace the command. */
  kept: readonly Message[] | undefined;
}

type Item = Frozen & Pick<FrozenRelayer, "freeze">;

async function freezeReceipt(frozen: readonly Frozen[], receipted: Receipted): Promise<Omit<Ending, "failure">> {
  const { session, symbols, kept } = receipted;
  const items = frozen.map((each): Item => ({ ...each, freeze: frozenRelayer(each).freeze }));
  const paused = items.flatMap(({ target, pause }) =>
    pause.value && !pause.already ? [{ ...target, after: pause.value.data }] : [],
  );
  const same = items.filter(({ pause }) => pause.already).length;
  const [canceled, requested] = [countIn(items, "canceled"), countIn(items, "cancellation_requested")];
  const words = [
    `${manyCount(paused)} paused`,
    ...(same > 0 ? [`${groupDigits(same)} already paused`] : []),
    ...(canceled > 0 ? [`${pluralize(canceled, "transaction")} canceled`] : []),
    ...(requested > 0 ? [`${pluralize(requested, "cancellation")} requested, not final yet`] : []),
  ].join(", ");
  const open = stillOpenLines(items, symbols);
  if (paused.length + canceled + requested === 0)
    return { notes: [...(same > 0 ? [`in ${session.name}: ${words}`] : []), ...open, ...(kept ?? [])] };
  const undo = kept ?? (paused.length === 0 ? [] : await updateManyUndo(paused, session, symbols));
  const final = canceled + requested > 0 && paused.length > 0 ? [STAYS_CANCELED] : [];
  return {
    receipt: [...doubtLines(items), receiptWords.applied(session.name, words), ...open, ...final],
    next: [...followLines(items, session), ...undo],
  };
}

function countIn(items: readonly Item[], list: "canceled" | "cancellation_requested"): number {
  return items.reduce((total, { freeze }) => total + freeze[list].length, 0);
}

function doubtLines(items: readonly Item[]): Message[] {
  return items.flatMap(({ target, cancellations, pause }) => {
    const named = [...cancellations.map((each) => ({ ...each, id: `${target.id} ${each.id}` })), pause];
    return named.flatMap(({ id, value }) => (value ? writeNotes(value, `${id}: `) : []));
  });
}

function stillOpenLines(items: readonly Item[], symbols: Symbols): Message[] {
  const rows = items.flatMap(({ target: { id, before }, freeze }) =>
    freeze.can_still_be_mined.map((transaction) => ({
      relayer: before,
      relayerId: id,
      transaction,
      because: transaction.because,
      until: transaction.until,
    })),
  );
  const unread = items.filter(({ pause, left }) => pause.value && !pause.already && !left);
  const ids = unread.map(({ target }) => target.id);
  return [
    ...(rows.length === 0 ? [] : [`can still be mined: ${pluralize(rows.length, "transaction")}`]),
    ...openLines(rows, symbols),
    ...(rows.some(({ until }) => until !== null) ? [AT_THE_END] : []),
    ...(ids.length === 0 ? [] : [{ note: `not read again after the pause, so there may be more: ${ids.join(", ")}` }]),
  ];
}

const AT_THE_END =
  "then an EVM transaction is replaced with a no-op, and any other expires; valid_until, which no record shows, changes the time";

const MOST_IDS = 20;

function followLines(items: readonly Item[], { flags }: Session): { follow: string }[] {
  const ids = items.filter(({ freeze }) => freeze.cancellation_requested.length > 0).map(({ target }) => target.id);
  const [first, ...more] = ids;
  if (first === undefined) return [];
  const status = ["relayers", "status", ...(ids.length > MOST_IDS ? [] : wordsWithIds([], ids))];
  const line = more.length === 0 ? ["tx", "list", ...wordsWithIds([], ids)] : status;
  return [{ follow: commandLine(...flags, ...line) }];
}

function freezeFailure(targets: readonly FreezeTarget[], frozen: ReadonlyMap<string, Frozen>, interrupt: AbortSignal) {
  const requests = targets.flatMap((target): Completed<unknown>[] => {
    const { id, cancels, unread } = target;
    const done = frozen.get(id);
    const cancellations = done?.cancellations ?? cancels.map((each) => ({ id: each.id }));
    return [
      ...(unread ? [{ id: `transactions of ${id}`, error: unread }] : []),
      ...cancellations.map((each) => ({ ...each, id: `${id} ${each.id}` })),
      done?.pause ?? { id },
    ];
  });
  return bulkFailure(requests, "requests", interrupt);
}

const STAYS_CANCELED = "an undo resumes the relayers; canceled transactions stay canceled";

const MOST_SHOWN = 20;

const BECAUSE: Readonly<Record<OpenBecause, (relayer: Relayer | undefined) => string>> = {
  requested: () => "cancellation requested",
  paused: () => "the relayer was paused before",
  disabled: () => "the relayer is disabled",
  kind: (relayer) => `${relayer?.network_type === "stellar" ? "Stellar" : "Solana"} has no cancellations`,
  network: (relayer) => `nodes on ${toCell(relayer?.network).text} refuse cancellations until the market rises by 10%`,
  failed: () => "cancellation failed",
  arrived: () => "it arrived before the pause",
};

interface OpenRow {
  relayer: Relayer | undefined;
  relayerId: string;
  transaction: { id: string; status?: JsonValue; value?: JsonValue; nonce?: JsonValue };
  because: OpenBecause;
  /** ISO 8601, or null. */
  until?: string | null;
}

function openLines(rows: readonly OpenRow[], symbols: Symbols, indent = "  "): Message[] {
  const texts = rows
    .slice(0, MOST_SHOWN)
    .map(({ relayer, relayerId, transaction, because, until }) => [
      escapeText(relayerId),
      (transaction.nonce ?? null) === null ? "" : `nonce ${escapeText(toCell(transaction.nonce).text)}`,
      escapeText(toCell(transaction.status).text),
      valueText(transaction.value, relayer, symbols),
      escapeText(transaction.id),
      [BECAUSE[because](relayer), ...(until ? [`until ${until.slice(0, 16).replace("T", " ")}Z`] : [])].join(", "),
    ]);
  const more = rows.length - texts.length;
  return [...alignWidths(texts, indent), ...(more > 0 ? [`${indent}and ${groupDigits(more)} more`] : [])];
}

function valueText(value: JsonValue | undefined, relayer: Relayer | undefined, symbols: Symbols): string {
  const amount = wireAmount(value);
  if (amount === undefined) return "";
  return formatAmount(amount, currencyOf("evm", symbols.get(relayer?.network ?? "")));
}

/** Returns the payments to cancel: `0.2 ETH on mainnet (3)`. Never sums over networks, which may be test networks. */
function paymentSums(
  targets: readonly { before: Relayer | undefined; cancels: readonly Transaction[] }[],
  symbols: Symbols,
): string[] {
  const sums = new Map<string, { total: bigint; count: number }>();
  for (const { before, cancels } of targets) {
    const network = before?.network ?? "";
    for (const transaction of cancels) {
      const amount = networkKind(before) === "evm" ? (wireAmount(transaction.value) ?? 0n) : 0n;
      const { total, count } = sums.get(network) ?? { total: 0n, count: 0 };
      if (amount > 0n) sums.set(network, { total: total + amount, count: count + 1 });
    }
  }
  return [...sums].map(([network, { total, count }]) => {
    const amount = formatAmount(total, currencyOf("evm", symbols.get(network)));
    return `${amount} on ${escapeText(network) || "an unknown network"} (${groupDigits(count)})`;
  });
}
