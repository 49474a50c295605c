import type { Run } from "../../../command-support/bulk/run.ts";
import { bulkVerbs } from "../../../command-support/bulk/verbs.ts";
import { runWrites, type WriteThrottle } from "../../../command-support/bulk/writes.ts";
import { askConsent } from "../../../command-support/consent/consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { isShown, showRequests } from "../../../command-support/shown.ts";
import { isShownInCoin } from "../../../contract/amount.ts";
import { operations } from "../../../contract/operations.ts";
import type { RelayctlError } from "../../../errors.ts";
import type { ListView, Page, View } from "../../../terminal/view.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import type { Targets } from "../../bulk/targets.ts";
import { symbolsFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { holdsAlready } from "../../read-before.ts";
import { movedList } from "../many/moved-list.ts";
import { manyTargets } from "../many/targets.ts";
import { openUndoFile, type UndoFile } from "../many/undo-file.ts";
import { type Frozen, freeze } from "./perform.ts";
import { type FreezeTarget, planFreeze } from "./plan.ts";
import { freezeLines, freezeQuestion } from "./question.ts";
import { freezeFailure, freezeReceipt } from "./receipt.ts";
import { frozenRelayer, frozenView } from "./view.ts";

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

async function freezeTargets(call: Call, { targets, throttle, undoFile, isMoved }: Planned): Promise<View> {
  const session = await call.session();
  const { interrupt } = call.app;
  const paying = targets.filter(({ cancels, others }) =>
    [...cancels, ...others.map(({ transaction }) => transaction)].some(({ value }) => isShownInCoin(value)),
  );
  const symbols = await symbolsFor(
    call,
    paying.flatMap(({ before }) => before ?? []),
  );
  const lines = targets.length === 0 ? [] : freezeLines(session, targets, symbols);
  if (isShown(call)) {
    await writeLines(call, lines);
    return await showRequests(call, targets.flatMap(requestsOf), true);
  }
  const isNeeded = targets.some((target) => requestsOf(target).length > 0);
  const { agree } = call.among ?? {};
  if (agree) await agree(session.name, { session, verb: "freeze", count: targets.length, isNeeded, lines });
  else if (isNeeded) await askConsent(call, freezeQuestion(session, targets), lines);
  const frozen = new Map<string, Frozen>();
  const concurrency = Math.max(1, Math.floor(throttle.concurrency / Math.max(1, targets.length)));
  const run = runWrites(call, session, { ...throttle, ...bulkVerbs.freeze }, (client) =>
    targets.map((target) => ({
      id: target.id,
      run: async () => {
        const done = await freeze(target, { client, session, undoFile, interrupt, concurrency });
        frozen.set(target.id, done);
        throwWhatEndsAll(done);
      },
    })),
  );
  const view: ListView = {
    kind: "list",
    resource: frozenView,
    pages: pagesOf(run, frozen),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    chosen: true,
    ...(targets.length > 0 && { nothing: null }),
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

function requestsOf({ id, body, before, cancels }: FreezeTarget) {
  const isPaused = before !== undefined && holdsAlready(body, before);
  return [
    ...cancels.map((transaction) => ({
      operation: operations["tx.cancel"],
      parameters: { relayer_id: id, transaction_id: transaction.id },
    })),
    ...(isPaused ? [] : [{ operation: operations["relayers.update"], parameters: { relayer_id: id }, body }]),
  ];
}

/** Lets a failure that every other request would meet end the run. */
function throwWhatEndsAll({ cancellations, pause }: Frozen): void {
  const errors = [...cancellations, pause].flatMap(({ error }): RelayctlError[] => (error ? [error] : []));
  const end = errors.find(({ failure }) => failure === "auth" || failure === "rate_limited");
  if (end) throw end;
}

async function* pagesOf({ results }: Run<void>, frozen: ReadonlyMap<string, Frozen>): AsyncGenerator<Page> {
  for await (const { id } of results) {
    const done = frozen.get(id);
    if (done && hasEffect(done))
      yield { items: [frozenRelayer(done)], total: undefined, body: done.pause.value?.body ?? NOTHING };
  }
}

/** Returns whether a relayer is in the output; the error alone reports those to which nothing was applied. */
function hasEffect({ cancellations, pause }: Frozen): boolean {
  return [...cancellations, pause].some(({ value }) => value !== undefined);
}

const NOTHING = new Uint8Array();
