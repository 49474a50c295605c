import type { ApiResult } from "../../../client/api-result.ts";
import type { Completed } from "../../../client/bulk/run-all.ts";
import { receiptOf } from "../../../command-support/receipt.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { nextWords, receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { type Undo, undoLine } from "../../../session/undo-line.ts";
import type { Ending } from "../../../terminal/view.ts";
import { changeText, changeVerbs } from "../change/change-text.ts";
import { changesOf } from "../change/changes.ts";
import { undoOf } from "../change/undo.ts";
import { alike, type ConsentFacts, countOf, named, verbFor } from "./consent.ts";
import type { Target } from "./targets.ts";

type Applied = Target & { after: Relayer };

const MOST_SHOWN = 3;

interface Receipted extends Pick<ConsentFacts, "symbols"> {
  session: Session;
  /** The lines about the file that undoes the changes, in place of the command. */
  kept: readonly string[] | undefined;
  /** Whether the run was interrupted: then its failure is the summary. */
  isInterrupted: boolean;
}

/** Returns the receipt: the change, the number of relayers, notes about some, and the command that undoes it. */
export function manyReceipt(
  completed: readonly Completed<ApiResult<Relayer>>[],
  targets: readonly Target[],
  { session, symbols, kept, isInterrupted }: Receipted,
): Omit<Ending, "failure"> {
  const values = completed.flatMap(({ id, value, already }) => (value && !already ? [{ id, value }] : []));
  const changed = new Map(values.map(({ id, value }) => [id, value.data]));
  const applied = targets.flatMap((target) => {
    const after = changed.get(target.id);
    return after ? [{ ...target, after }] : [];
  });
  const same = completed.filter(({ already }) => already).length;
  const { done, already: state } = changeVerbs[verbFor(targets)];
  const already = same > 0 ? [`in ${session.name}: ${countAmong(same, completed)} ${state}`] : [];
  if (applied.length === 0) return { notes: [...already, ...(kept ?? [])] };
  const notes = values.flatMap(({ id, value }) => receiptOf(value, []).map((line) => `${id}: ${line}`));
  notes.push(...disabledLines(applied));
  const more = same > 0 ? `${grouped(same)} ${state}` : "";
  const count = countAmong(applied.length, completed);
  const change = done === undefined ? inShort(applied, symbols) : "";
  const words = change === "" ? `${count} ${done ?? "changed"}` : `${change} on ${count}`;
  const next = kept ?? manyUndo(applied, session, symbols);
  const text = more === "" ? words : `${words}, ${more}`;
  const first = change === "" ? `${done ?? "changed"} ${count}` : words;
  const line = receiptWords.changedMany(session.name, text, [first, named(applied), more]);
  return { receipt: [...notes, ...(isInterrupted ? [] : [line])], next };
}

function disabledLines(applied: readonly Applied[]): string[] {
  const disabled = applied.filter(({ body, after }) => body.paused === false && after.system_disabled === true);
  if (disabled.length === 0) return [];
  const is = disabled.length === 1 ? "is" : "are";
  return [
    `warning: ${countAmong(disabled.length, applied)} ${is} disabled, not paused; resuming can't help: ${named(disabled)}`,
  ];
}

/** The maximum number of IDs in a command, and of commands, that a user would paste. */
const MOST_IDS = 100;
const MOST_LINES = 10;
const TOO_MANY = `there are more than ${MOST_IDS} relayers, and no journal has all values before; --undo-file keeps them`;
const ONE_COMMAND = "by one command";

/**
 * Returns the commands that undo the changes of many relayers, one for all with the same previous value, or why there
 * is none. Undefined if any previous value is unknown: a relayer may have been paused before.
 */
export function manyUndo(
  applied: readonly Applied[],
  session: Session,
  symbols: ReadonlyMap<string, string | undefined>,
): string[] {
  if (applied.some(({ before }) => !before)) return [];
  if (applied.length > MOST_IDS) return runUndo(applied, session) ?? [nextWords.cannotUndo(TOO_MANY, ONE_COMMAND)];
  const alike = new Map<string, { undo: Undo; ids: string[] }>();
  for (const { id, body, before, after } of applied) {
    if (!before) return [];
    const changes = changesOf(body, before);
    // What was sent again, since an earlier change may still arrive, has nothing to undo.
    if (changes.length === 0) continue;
    const undo = undoOf(changes, after, symbols.get(before.network ?? ""));
    const key = "because" in undo ? undo.because : undo.flags.join("\0");
    alike.set(key, { undo, ids: [...(alike.get(key)?.ids ?? []), id] });
  }
  const groups = [...alike.values()];
  if (groups.length > MOST_LINES) {
    const run = runUndo(applied, session);
    return run ?? [nextWords.cannotUndo("the relayers had different values before", "by a few commands")];
  }
  return groups.map(({ undo, ids }) => {
    const line = undoLine(undo, session, "relayers", "update", ...ids);
    return "because" in undo && groups.length > 1 ? `${ids.join(", ")}: ${line}` : line;
  });
}

/**
 * Returns the command that undoes the run by the journal, if the journal recorded all of it and each relayer can be
 * restored. RPC URLs are left out: the journal may not keep them.
 */
function runUndo(applied: readonly Applied[], session: Session): string[] | undefined {
  const run = session.recordedRun();
  const isRestorable = ({ body, before, after }: Applied) =>
    before !== undefined && !("custom_rpc_urls" in body) && "flags" in undoOf(changesOf(body, before), after);
  if (run === undefined || !applied.every(isRestorable)) return undefined;
  const pasted = session.pasteable(["undo", run]);
  return "line" in pasted ? [nextWords.undo(pasted.line)] : undefined;
}

function countAmong(count: number, all: readonly unknown[]): string {
  return count < all.length ? `${grouped(count)} of ${countOf(all)}` : countOf(all);
}

/** Returns `gas_price_cap → 55 gwei` for each. Many changes are counted; kinds of network may differ in theirs. */
function inShort(targets: readonly Target[], symbols: ConsentFacts["symbols"]): string {
  const texts = new Set<string>();
  for (const { body, before } of alike(targets, symbols).flatMap(([first]) => first ?? [])) {
    const symbol = symbols.get(before?.network ?? "");
    for (const change of changesOf(body, undefined)) {
      const { label, change: text } = changeText(change, { relayer: before ?? {}, symbol, known: false });
      texts.add(`${label} ${text}`);
    }
  }
  return texts.size > MOST_SHOWN ? `${texts.size} changes` : [...texts].join(", ");
}
