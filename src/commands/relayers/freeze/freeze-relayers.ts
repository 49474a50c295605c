import type { Run } from "../../../client/bulk/run-all.ts";
import { bulkVerbs } from "../../../client/bulk/verbs.ts";
import { apiRequest } from "../../../client/request.ts";
import { symbolsFor } from "../../../coins/symbol-for.ts";
import { agreeToWrites } from "../../../command-support/bulk/planned-writes.ts";
import { runWrites, type WriteThrottle } from "../../../command-support/bulk/writes.ts";
import { isShown } from "../../../command-support/shown.ts";
import { isShownInCoin } from "../../../contract/amount.ts";
import { grouped } from "../../../contract/decimal.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import { isUnsigned } from "../../../contract/transaction/transaction-state.ts";
import type { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { ListView, Page, View } from "../../../terminal/view.ts";
import type { BulkFlags, Targets } from "../../bulk/flags.ts";
import type { Call } from "../../command.ts";
import { countOf, typedCountOf } from "../many/consent.ts";
import type { Symbols } from "../many/targets.ts";
import { manyTargets, movedList, needsChange, withDoubts } from "../many/targets.ts";
import { openUndoFile, type UndoFile } from "../many/undo-file.ts";
import { type Frozen, freeze } from "./perform.ts";
import { type FreezeTarget, planFreeze } from "./plan.ts";
import { countText, freezeFailure, freezeReceipt, openLines, paymentSums, STAYS_CANCELED } from "./receipt.ts";
import { frozenRelayer, frozenView } from "./view.ts";

const MOST_NAMED = 20;

/** Returns what a freeze would do: the cancellations with their payments, the pauses, and what can still be mined. */
function freezeLines(session: Session, targets: readonly FreezeTarget[], symbols: Symbols): string[] {
  const [paused, others] = divide(targets, (target) => !needsChange(target));
  const [disabled, active] = divide(others, ({ before }) => before?.system_disabled === true);
  const unread = targets.filter(({ unread }) => unread !== undefined);
  const kept = targets.flatMap(({ id, before, others }) =>
    others.map(({ transaction, obstacle }) => ({ relayer: before, relayerId: id, transaction, because: obstacle })),
  );
  return [
    `freeze ${countOf(targets)} in ${session.name}`,
    ...cancelLines(targets, symbols),
    ...named("pause", active),
    ...named("already paused", paused),
    ...named("disabled, so that the service may refuse the pause", disabled),
    ...named("transactions unknown, and not canceled", unread),
    ...(kept.length === 0 ? [] : [`  not canceled: ${countText(kept.length, "transaction")} that can still be mined`]),
    ...openLines(kept, symbols).map((line) => `  ${line}`),
    `paused: ${effectTexts.whilePaused}`,
    ...(targets.some(({ cancels }) => cancels.length > 0) ? [STAYS_CANCELED] : []),
  ];
}

function cancelLines(targets: readonly FreezeTarget[], symbols: Symbols): string[] {
  const cancels = targets.flatMap((target) => target.cancels);
  if (cancels.length === 0) return ["  cancel: no transactions"];
  const unsigned = targets.flatMap((target) =>
    target.cancels.filter((each) => isUnsigned(each, networkKind(target.before))),
  );
  const atOnce = unsigned.length;
  const requested = cancels.length - atOnce;
  const payments = paymentSums(targets, symbols);
  return [
    `  cancel: ${countText(cancels.length, "transaction")} of ${countOf(targets.filter((each) => each.cancels.length > 0))}`,
    ...(payments.length === 0 ? [] : [`  payments among them: ${payments.join(", ")}`]),
    ...(atOnce === 0 ? [] : [`    ${atOnce} not signed yet: canceled at once, unless the service signs it first`]),
    ...(requested === 0 ? [] : [`    ${requested} signed: ${effectTexts.onlyRequested}; ${effectTexts.mayBeMined}`]),
  ];
}

function named(label: string, targets: readonly FreezeTarget[]): string[] {
  if (targets.length === 0) return [];
  const ids = targets.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = targets.length - ids.length;
  return [`  ${label}: ${countOf(targets)}: ${ids.join(", ")}${more > 0 ? `, and ${grouped(more)} more` : ""}`];
}

function divide<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

/** Freezes relayers after one question, several at a time, and returns each in its new state. */
export async function freezeRelayers(call: Call<BulkFlags>, { ids, throttle }: Targets): Promise<View> {
  const undoFile = isShown(call) ? undefined : await openUndoFile(call);
  try {
    const reading = { ...call, flags: { ...call.flags, diff: true as const } };
    const change = { needsKind: false, bodyFor: () => ({ paused: true }) };
    const { targets, moved } = await manyTargets(reading, { ids }, change);
    if (moved) await call.say(`note: ${movedList.words}`);
    const planned = await planFreeze(call, targets, throttle);
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
  /** Whether the list changed while it was read, so that relayers may be missing. */
  isMoved: boolean;
}

async function freezeTargets(call: Call, { throttle, undoFile, isMoved, ...planned }: Planned): Promise<View> {
  const session = await call.session();
  const targets = await withDoubts(call, planned.targets);
  const { interrupt, clock } = call.app;
  const paying = targets.filter(({ cancels, others }) =>
    [...cancels, ...others.map(({ transaction }) => transaction)].some(({ value }) => isShownInCoin(value)),
  );
  const symbols = await symbolsFor(
    call,
    paying.flatMap(({ before }) => before ?? []),
  );
  const lines = targets.length === 0 ? [] : freezeLines(session, targets, symbols);
  const dryRun = await agreeToWrites(call, session, {
    title: `freeze ${countOf(targets)}`,
    act: "freezing relayers",
    // The number is not typed by habit, and canceled payments cannot be restored.
    sort: targets.length > 1 ? { type: typedCountOf(targets) } : "yes",
    requests: targets.flatMap(listRequests),
    preview: lines,
    lines,
    isSettled: targets.every((target) => listRequests(target).length === 0),
    verb: "freeze",
    count: targets.length,
  });
  if (dryRun) return dryRun;
  const frozen = new Map<string, Frozen>();
  const concurrency = Math.max(1, Math.floor(throttle.concurrency / Math.max(1, targets.length)));
  const run = runWrites(call, session, { ...throttle, ...bulkVerbs.freeze }, (client) =>
    targets.map((target) => ({
      id: target.id,
      run: async () => {
        const done = await freeze(target, { client, session, undoFile, interrupt, clock, concurrency });
        frozen.set(target.id, done);
        throwWhatEndsAll(done);
      },
    })),
  );
  const view: ListView = {
    kind: "list",
    resource: frozenView,
    pages: buildPages(run, frozen),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    chosen: true,
    ...(targets.length > 0 && { nothing: null, isChange: true }),
    async ending() {
      const completed = await run.done;
      const failure = freezeFailure(targets, frozen, interrupt) ?? (isMoved && movedList.failure(call, completed));
      const done = targets.flatMap(({ id }) => frozen.get(id) ?? []);
      const receipt = freezeReceipt(done, { session, symbols, kept: await undoFile?.end() });
      return { ...receipt, ...(failure && { failure }) };
    },
  };
  return view;
}

function listRequests(target: FreezeTarget) {
  const { id, body, cancels } = target;
  return [
    ...cancels.map((each) => apiRequest("tx.cancel", { relayer_id: id, transaction_id: each.id })),
    ...(needsChange(target) ? [apiRequest("relayers.update", { relayer_id: id }, body)] : []),
  ];
}

/** Lets a failure that every other request would meet end the run. */
function throwWhatEndsAll({ cancellations, pause }: Frozen): void {
  const errors = [...cancellations, pause].flatMap(({ error }): RelayctlError[] => (error ? [error] : []));
  const end = errors.find(({ failure }) => failure === "auth" || failure === "rate_limited");
  if (end) throw end;
}

async function* buildPages({ results }: Run<void>, frozen: ReadonlyMap<string, Frozen>): AsyncGenerator<Page> {
  for await (const { id } of results) {
    const done = frozen.get(id);
    if (done && [...done.cancellations, done.pause].some(({ value }) => value !== undefined))
      yield { items: [frozenRelayer(done)], total: undefined, body: done.pause.value?.body ?? NOTHING };
  }
}

const NOTHING = new Uint8Array();
