import type { ApiResult } from "../../../client/api-result.ts";
import type { Completed, Job } from "../../../client/bulk/run-all.ts";
import { bulkVerbs } from "../../../client/bulk/verbs.ts";
import type { Client } from "../../../client/client.ts";
import { apiRequest } from "../../../client/request.ts";
import { spelledFor } from "../../../client/respell.ts";
import { agreeToWrites } from "../../../command-support/bulk/planned-writes.ts";
import { type Shortfall, sendWrites } from "../../../command-support/bulk/writes.ts";
import { withHint } from "../../../command-support/receipt.ts";
import { type DiffFlag, isShown } from "../../../command-support/shown.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Relayer, UpdateRelayerRequest } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { nextWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import { relayerView } from "../../../views/relayer.ts";
import type { BulkFlags, Targets } from "../../bulk/flags.ts";
import type { Call } from "../../command.ts";
import { changeVerbs } from "../change/change-text.ts";
import {
  capLines,
  countOf,
  kindsLine,
  manyConsent,
  manyLines,
  requireConsentForMany,
  typedCountOf,
  verbFor,
} from "./consent.ts";
import { manyReceipt } from "./receipt.ts";
import {
  type ManyChange,
  manyTargets,
  movedList,
  needsChange,
  type Target,
  targetSymbols,
  withDoubts,
} from "./targets.ts";
import { openUndoFile, pipedCommand, type UndoFile } from "./undo-file.ts";

/** Up to so many IDs, all that failed or were not started are part of the error's own lines. */
const MOST_IDS = 100;

/**
 * Keeps the IDs of very many relayers that a run did not change in a file next to the journal, if the journal has the
 * run. If no relayer was changed, the command that was typed reaches them all again.
 * @returns the line about the file
 */
async function keepUnchanged(
  call: Call,
  session: Session,
  completed: readonly Completed<unknown>[],
  verb: ReturnType<typeof verbFor>,
): Promise<string[]> {
  const missed = completed.filter(({ value }) => value === undefined);
  const run = session.recordedRun();
  if (run === undefined || missed.length <= MOST_IDS || missed.length === completed.length) return [];
  try {
    const file = await call.app.lineFile({ run });
    try {
      await file.append(call.app.secrets.redact(missed.map(({ id }) => id).join("\n")));
    } finally {
      await file.close();
    }
    const inWords = `relayers ${verb} the IDs in ${file.path}`;
    const command = verb === "update" ? undefined : pipedCommand(call, session, { path: file.path, verb });
    const { aborted } = call.app.interrupt;
    return [nextWords[aborted ? "continue" : "retry"](command ?? inWords)];
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return [`warning: the IDs of ${grouped(missed.length)} relayers were not kept: ${error.message}`];
  }
}

export async function updateMany(
  call: Call<BulkFlags & DiffFlag>,
  { ids, throttle }: Targets,
  change: ManyChange,
): Promise<View> {
  if (!isShown(call) && !call.among) requireConsentForMany(call);
  const undoFile = isShown(call) ? undefined : await openUndoFile(call);
  try {
    const { targets, moved } = await manyTargets(call, { ids }, change);
    const shortfall = moved && movedList;
    return await updateTargets(call, { targets, shortfall, throttle, undoFile, reads: !ids });
  } catch (error) {
    await undoFile?.end();
    throw error;
  }
}

interface Planned extends Pick<Targets, "throttle"> {
  targets: readonly Target[];
  shortfall?: Shortfall | undefined;
  undoFile?: UndoFile | undefined;
  reads: boolean;
}

export async function updateTargets(
  call: Call<DiffFlag>,
  { shortfall, throttle, undoFile, reads, ...planned }: Planned,
): Promise<View> {
  const session = await call.session();
  const targets = await withDoubts(call, planned.targets);
  const { diff = false } = call.flags;
  if (shortfall) await call.say(`note: ${shortfall.words}`);
  const symbols = await targetSymbols(call, targets);
  const kinds = targets.some(({ isSentAnyway }) => isSentAnyway) ? undefined : kindsLine(targets);
  const needed = targets.filter(needsChange);
  const same = diff ? [] : alreadyLine(targets, needed);
  const described = diff ? targets : needed;
  const lines = described.length > 0 ? [...manyLines(session, described, { diff, symbols }), ...same] : [];
  const told = call.app.stderr.isTerminal ? same.map((line) => `note: ${line}`) : [];
  const unconfirmedLines = diff
    ? lines
    : [...(kinds === undefined ? [] : [`note: ${kinds}`]), ...capLines(targets), ...told];
  // A script counts all of its targets.
  const asked = call.common.confirm === typedCountOf(targets) ? targets : needed;
  const dryRun = await agreeToWrites(call, session, {
    ...manyConsent(asked),
    requests: targets.map((target) => spelledFor(buildApiRequest(target), target.before)),
    wasUnread: !reads && !diff,
    preview: unconfirmedLines,
    lines,
    unasked: unconfirmedLines,
    isSettled: needed.length === 0,
    verb: verbFor(targets),
    count: targets.length,
  });
  if (dryRun) return dryRun;
  const { view } = sendWrites<ApiResult<Relayer>>(call, session, {
    throttle,
    verb: bulkVerbs[verbFor(targets)],
    resource: relayerView,
    shortfall,
    jobsOver: (client) => targets.map((target) => jobFor(target, { client, session, undoFile })),
    async receipt(completed) {
      const retry = await keepUnchanged(call, session, completed, verbFor(targets));
      const kept = await undoFile?.end();
      const isInterrupted = call.app.interrupt.aborted;
      const ending = manyReceipt(completed, targets, { session, symbols, kept, isInterrupted });
      return { ...ending, next: [...retry, ...(ending.next ?? [])] };
    },
  });
  return view;
}

function alreadyLine(targets: readonly Target[], needed: readonly Target[]): string[] {
  const same = targets.length - needed.length;
  if (same === 0) return [];
  const { already } = changeVerbs[verbFor(targets)];
  return [`skipped: ${grouped(same)} of ${countOf(targets)} ${same === 1 ? "is" : "are"} ${already}`];
}

function buildApiRequest({ id, body }: Target) {
  return apiRequest("relayers.update", { relayer_id: id }, body);
}

function jobFor(
  target: Target,
  { client, session, undoFile }: { client: Client; session: Session; undoFile: UndoFile | undefined },
): Job<ApiResult<Relayer>> {
  const { id, before } = target;
  const send = () => changed(target, client, session);
  if (!before || needsChange(target)) return { id, run: undoFile ? () => undoFile.keeping(target, send) : send };
  return { id, already: true, run: async () => ({ data: before, body: NOTHING, unconfirmed: [] }) };
}

async function changed(target: Target, client: Client, { flags }: Session): Promise<ApiResult<Relayer>> {
  const { id, before } = target;
  const { body } = spelledFor(buildApiRequest(target), before);
  const sent = client.relayers.update(id, body as UpdateRelayerRequest, { before });
  const result = await withHint(sent, () => commandLine(...flags, "relayers", "get", id));
  // The rest of the response is not shown, and there may be very many.
  const { data, unconfirmed, lost } = result;
  return { data, body: NOTHING, unconfirmed, ...(lost !== undefined && { lost }) };
}

const NOTHING = new Uint8Array();
