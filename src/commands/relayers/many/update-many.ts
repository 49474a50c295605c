import { bulkVerbs, type Completed, type Job } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import { type ApiResult, apiRequest } from "../../../client/request.ts";
import { respellForRecord } from "../../../client/respell.ts";
import { bulkWriteItem, performBulkWrites, type Shortfall } from "../../../command-support/bulk/writes.ts";
import { writeNotes, writeWithHint } from "../../../command-support/prepared-write.ts";
import { type DiffFlag, isDryRun } from "../../../command-support/shown.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer, UpdateRelayerRequest } from "../../../contract/resources/relayer.ts";
import { ifFound, RelayctlError } from "../../../errors.ts";
import { appliedOf } from "../../../journal/journal.ts";
import { type Message, messageWithPrefix } from "../../../message.ts";
import { cannotUndoText, receiptUndoLine, receiptWords, type Undo } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Ending, View } from "../../../terminal/view.ts";
import { relayerView } from "../../../views/relayer.ts";
import type { BulkFlags, Targets } from "../../bulk/flags.ts";
import type { Call } from "../../command.ts";
import { changesOf, changeVerbs, relayerChangeText } from "../change/change-text.ts";
import { undoOfRelayer } from "../change/undo.ts";
import {
  type ConsentFacts,
  groupManyTargets,
  manyCapLines,
  manyConsent,
  manyCount,
  manyKindsLine,
  manyLines,
  manyVerb,
  nameManyTargets,
  requireConsentForMany,
  typedManyCount,
} from "./consent.ts";
import {
  type ManyChange,
  manyTargets,
  movedList,
  needsChange,
  type Target,
  targetSymbols,
  targetsWithDoubts,
} from "./targets.ts";
import { openUndoFile, type UndoFile, undoFileCommand } from "./undo-file.ts";

type Applied = Target & { after: Relayer };

const MOST_SHOWN = 3;

interface Receipted extends Pick<ConsentFacts, "symbols"> {
  session: Session;
  /** The undo file's lines, which replace the command. */
  kept: readonly Message[] | undefined;
  /** Whether the run was interrupted, so that its failure is the summary. */
  isInterrupted: boolean;
}

/** Returns the receipt: the change, the number of relayers, notes, and the undo. */
async function manyReceipt(
  completed: readonly Completed<ApiResult<Relayer>>[],
  targets: readonly Target[],
  { session, symbols, kept, isInterrupted }: Receipted,
): Promise<Omit<Ending, "failure">> {
  const values = completed.flatMap(({ id, value, already }) => (value && !already ? [{ id, value }] : []));
  const changed = new Map(values.map(({ id, value }) => [id, value.data]));
  const applied = targets.flatMap((target) => {
    const after = changed.get(target.id);
    return after ? [{ ...target, after }] : [];
  });
  const same = completed.filter(({ already }) => already).length;
  const { done, already: state } = changeVerbs[manyVerb(targets)];
  const already = same > 0 ? [`in ${session.name}: ${countAmong(same, completed)} ${state}`] : [];
  if (applied.length === 0) return { notes: [...already, ...(kept ?? [])] };
  const notes: Message[] = values.flatMap(({ id, value }) => writeNotes(value, `${id}: `));
  notes.push(...disabledLines(applied));
  const more = same > 0 ? `${groupDigits(same)} ${state}` : "";
  const count = countAmong(applied.length, completed);
  const change = done === undefined ? inShort(applied, symbols) : "";
  const words = change === "" ? `${count} ${done ?? "changed"}` : `${change} on ${count}`;
  const next = kept ?? (await updateManyUndo(applied, session, symbols));
  const text = more === "" ? words : `${words}, ${more}`;
  const first = change === "" ? `${done ?? "changed"} ${count}` : words;
  const line = receiptWords.changedMany(session.name, text, [first, nameManyTargets(applied), more]);
  return { receipt: [...notes, ...(isInterrupted ? [] : [line])], next };
}

function disabledLines(applied: readonly Applied[]): { warning: string }[] {
  const disabled = applied.filter(({ body, after }) => body.paused === false && after.system_disabled === true);
  if (disabled.length === 0) return [];
  const is = disabled.length === 1 ? "is" : "are";
  return [
    {
      warning: `${countAmong(disabled.length, applied)} ${is} disabled, not paused; resuming can't help: ${nameManyTargets(disabled)}`,
    },
  ];
}

/** The most IDs in a command, and the most commands, that a user would paste. */
const MOST_IDS = 100;
const MOST_LINES = 10;
const TOO_MANY = `there are more than ${MOST_IDS} relayers, and no journal can restore all of them; --undo-file keeps their values`;
const ONE_COMMAND = "by one command";

/** Returns one command per previous value, or why there is none; undefined if a previous value is unknown. */
export async function updateManyUndo(
  applied: readonly Applied[],
  session: Session,
  symbols: ReadonlyMap<string, string | undefined>,
): Promise<Message[]> {
  if (applied.some(({ before }) => !before)) return [];
  if (applied.length > MOST_IDS) return (await runUndo(applied, session)) ?? [cannotUndoText(TOO_MANY, ONE_COMMAND)];
  const alike = new Map<string, { undo: Undo; ids: string[] }>();
  for (const { id, body, before, after } of applied) {
    if (!before) return [];
    const changes = changesOf(body, before);
    // A change that was resent, since an earlier one may still arrive, has nothing to undo.
    if (changes.length === 0) continue;
    const undo = undoOfRelayer(changes, after, symbols.get(before.network ?? ""));
    const key = "because" in undo ? undo.because : undo.flags.join("\0");
    alike.set(key, { undo, ids: [...(alike.get(key)?.ids ?? []), id] });
  }
  const groups = [...alike.values()];
  if (groups.length > MOST_LINES) {
    const run = await runUndo(applied, session);
    return run ?? [cannotUndoText("the relayers had different values before", "by a few commands")];
  }
  return groups.map(({ undo, ids }) => {
    const line = receiptUndoLine(undo, session, "relayers", "update", ...ids);
    return messageWithPrefix("because" in undo && groups.length > 1 ? `${ids.join(", ")}: ` : "", line);
  });
}

/** Returns the run's undo by the journal, if it recorded all of it, without RPC URLs, which it may lack. */
async function runUndo(applied: readonly Applied[], session: Session): Promise<{ undo: string }[] | undefined> {
  const run = session.recordedRun();
  const isRestorable = ({ body, before, after }: Applied) =>
    before !== undefined && !("custom_rpc_urls" in body) && "flags" in undoOfRelayer(changesOf(body, before), after);
  if (run === undefined || !applied.every(isRestorable)) return undefined;
  const writes = await session.ownWrites();
  const isWhole = writes.every((write) => appliedOf(write) !== "unknown" && !write.intent.masked);
  if (writes.length === 0 || !isWhole) return undefined;
  const pasted = session.pasteable(["undo", run]);
  return "line" in pasted ? [{ undo: pasted.line }] : undefined;
}

function countAmong(count: number, all: readonly unknown[]): string {
  return count < all.length ? `${groupDigits(count)} of ${manyCount(all)}` : manyCount(all);
}

/** Returns `gas_price_cap → 55 gwei`, or the number of changes; nothing if the relayers changed differently. */
function inShort(targets: readonly Target[], symbols: ConsentFacts["symbols"]): string {
  const [text = "", ...others] = new Set(
    groupManyTargets(targets, symbols).map(([{ body, before } = { body: {}, before: undefined }]) => {
      const facts = { relayer: before ?? {}, symbol: symbols.get(before?.network ?? ""), known: false };
      const texts = changesOf(body, undefined).map((change) => relayerChangeText(change, facts));
      if (texts.length > MOST_SHOWN) return `${texts.length} changes`;
      return texts.map(({ label, change }) => `${label} ${change}`).join(", ");
    }),
  );
  return others.length === 0 ? text : "";
}

/** The error itself lists up to this many failed or unstarted IDs. */
const MOST_LISTED = 100;

/** Writes the IDs that a large run did not change to a file, unless the typed command reaches them again. */
async function keepUnchanged(
  call: Call,
  session: Session,
  completed: readonly Completed<unknown>[],
  verb: ReturnType<typeof manyVerb>,
): Promise<Message[]> {
  const missed = completed.filter(({ value }) => value === undefined);
  const run = session.recordedRun();
  if (run === undefined || missed.length <= MOST_LISTED || missed.length === completed.length) return [];
  try {
    const file = await call.app.lineFile({ run });
    try {
      await file.append(call.app.secrets.redact(missed.map(({ id }) => id).join("\n")));
    } finally {
      await file.close();
    }
    const inWords = `relayers ${verb} the IDs in ${file.path}`;
    const command = verb === "update" ? undefined : undoFileCommand(call, session, { path: file.path, verb });
    const { aborted } = call.app.interrupt;
    const rest = command ?? inWords;
    return [aborted ? { continue: rest } : { retry: rest }];
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return [{ warning: `the IDs of ${groupDigits(missed.length)} relayers were not kept: ${error.message}` }];
  }
}

export async function updateMany(
  call: Call<BulkFlags & DiffFlag>,
  { ids, throttle }: Targets,
  change: ManyChange,
): Promise<View> {
  const bodies = change.needsKind ? undefined : [change.bodyFor(undefined, new Problems())];
  if (!isDryRun(call) && !call.among) requireConsentForMany(call, await call.session(), bodies);
  const undoFile = isDryRun(call) ? undefined : await openUndoFile(call);
  try {
    const { targets, moved } = await manyTargets(call, ids, change);
    const shortfall = moved && movedList;
    return await updateManyTargets(call, { targets, shortfall, throttle, undoFile, reads: !ids });
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
  isUndo?: true;
}

export async function updateManyTargets(
  call: Call<DiffFlag>,
  { shortfall, throttle, undoFile, reads, isUndo, ...planned }: Planned,
): Promise<View> {
  const session = await call.session();
  const targets = await targetsWithDoubts(call, planned.targets);
  const { diff = false } = call.flags;
  if (shortfall) await call.say({ note: shortfall.words });
  const symbols = await targetSymbols(call, targets);
  const kinds = targets.some(({ isSentAnyway }) => isSentAnyway) ? undefined : manyKindsLine(targets);
  const needed = targets.filter(needsChange);
  const same = diff ? [] : alreadyLine(targets, needed);
  const described = diff ? targets : needed;
  const lines = described.length > 0 ? [...manyLines(session, described, { diff, symbols }), ...same] : [];
  const told = call.app.stderr.isTerminal ? same.map((line) => ({ note: line })) : [];
  const unconfirmedLines = diff
    ? lines
    : [...(kinds === undefined ? [] : [{ note: kinds }]), ...manyCapLines(targets), ...told];
  // A script counts all of its targets.
  const asked = call.common.confirm === typedManyCount(targets) ? targets : needed;
  const { view } = await performBulkWrites<ApiResult<Relayer>>(call, session, {
    ...manyConsent(asked),
    ...(isUndo && { title: `undo the changes to ${manyCount(asked)}` }),
    requests: needed.map((target) => respellForRecord(buildApiRequest(target), target.before)),
    wasUnread: !reads && !diff,
    preview: unconfirmedLines,
    lines,
    unasked: unconfirmedLines,
    isSettled: needed.length === 0,
    asked: { verb: manyVerb(targets), count: targets.length },
    throttle,
    progress: bulkVerbs[manyVerb(targets)],
    resource: relayerView,
    itemOf: bulkWriteItem,
    failure: (failed, completed) =>
      shortfall ? (failed?.with({ because: [shortfall.words] }) ?? shortfall.failure(call, completed)) : failed,
    jobsOver: (client) => targets.map((target) => updateManyJob(target, { client, session, undoFile })),
    async receipt(completed) {
      const retry = await keepUnchanged(call, session, completed, manyVerb(targets));
      const kept = await undoFile?.end();
      const isInterrupted = call.app.interrupt.aborted;
      const ending = await manyReceipt(completed, targets, { session, symbols, kept, isInterrupted });
      return { ...ending, next: [...retry, ...(ending.next ?? [])] };
    },
  });
  return view;
}

function alreadyLine(targets: readonly Target[], needed: readonly Target[]): string[] {
  const same = targets.length - needed.length;
  if (same === 0) return [];
  const { already } = changeVerbs[manyVerb(targets)];
  return [`skipped: ${groupDigits(same)} of ${manyCount(targets)} ${same === 1 ? "is" : "are"} ${already}`];
}

function buildApiRequest({ id, body }: Target) {
  return apiRequest("relayers.update", { relayer_id: id }, body);
}

/** Returns the update of a target, which sends nothing if it needs no change. */
export function updateManyJob(
  target: Target,
  { client, session, undoFile }: { client: Client; session: Session; undoFile: UndoFile | undefined },
): Job<ApiResult<Relayer>> {
  const { id, before, refuseMoved } = target;
  const send = async () => {
    refuseMoved?.((await ifFound(client.relayers.get(id)))?.data);
    return await updateTarget(target, client, session);
  };
  if (!before || needsChange(target)) return { id, run: undoFile ? () => undoFile.keeping(target, send) : send };
  return { id, already: true, run: async () => ({ data: before, body: NOTHING, unconfirmed: [] }) };
}

async function updateTarget(target: Target, client: Client, { flags }: Session): Promise<ApiResult<Relayer>> {
  const { id, before } = target;
  const { body } = respellForRecord(buildApiRequest(target), before);
  const sent = client.relayers.update(id, body as UpdateRelayerRequest, { before });
  const result = await writeWithHint(sent, () => commandLine(...flags, "relayers", "get", id));
  // The rest of the response is not shown, and may be large.
  const { data, unconfirmed, lost } = result;
  return { data, body: NOTHING, unconfirmed, ...(lost !== undefined && { lost }) };
}

const NOTHING = new Uint8Array();
