import { groupDigits } from "../contract/decimal.ts";
import type { Fact, Message, ReceiptOutcome } from "../message.ts";
import type { Session } from "./session.ts";

function outcome(text: string, ...cells: readonly string[]): ReceiptOutcome {
  return { done: text, cells: cells.filter((cell) => cell !== "") };
}

function placedOutcome(done: string, where: string, what: string, id?: string): ReceiptOutcome {
  return { ...outcome(`${done} in ${where}: ${what}`, `${done} in ${where}`, what), ...(id !== undefined && { id }) };
}

/** The words of receipts: outcome and context. Tests compare them with their copy in `test/helpers/receipts.ts`. */
export const receiptWords = {
  applied: (where: string, what: string) => placedOutcome("applied", where, what),
  /** For one resource, first its ID. */
  changed: (where: string, id: string, what: string, cell: string = what): ReceiptOutcome => ({
    ...outcome(`applied in ${where}: ${id} ${what}`, `${id} in ${where}`, cell),
    id,
  }),
  /** For several resources, first the change. */
  changedMany: (where: string, what: string, [first, ...cells]: readonly [string, ...string[]]) =>
    outcome(`applied in ${where}: ${what}`, `${first} in ${where}`, ...cells),
  created: (where: string, id: string) => placedOutcome("created", where, id),
  deleted: (where: string, what: string) => placedOutcome("deleted", where, what),
  sent: (where: string, id: string, state: string) =>
    placedOutcome("accepted", where, `transaction ${id}, ${state}`, id),
  sentBefore: (where: string, id: string, state: string) =>
    `already sent in ${where}: transaction ${id}, ${state}; nothing was sent now`,
  /** @param prefix of one of several: its ID */
  replaced: (where: string, hashes: readonly Fact[], prefix = "") =>
    withFacts(`${prefix}replacement accepted in ${where}`, hashes),
  cancellation: (where: string, hashes: readonly Fact[], prefix = "") =>
    withFacts(`${prefix}cancellation accepted in ${where}`, hashes),
  canceled: (where: string, id: string, wasBroadcast: boolean) =>
    placedOutcome("canceled", where, `${id}${wasBroadcast ? "" : " was never broadcast"}`, id),
  /** Of bumps, how many were accepted, and are on their way. */
  bumps: (where: string, [accepted, all, sent]: readonly [number, number, number]) => ({
    done: `in ${where}: ${groupDigits(accepted)} of ${groupDigits(all)} bumps accepted, ${groupDigits(sent)} on their way`,
  }),
  /** Of cancellations, how many were accepted, are done, and are still open. */
  cancellations: (where: string, [accepted, all, done, open]: readonly [number, number, number, number]) => ({
    done: `in ${where}: ${groupDigits(accepted)} of ${groupDigits(all)} accepted, ${groupDigits(done)} canceled, ${groupDigits(open)} requested, ${NOT_FINAL}`,
  }),
  /** After a replacement or a cancellation: nobody has to note its previous hash. */
  hashKept: "previous hash saved in the journal",
  unchanged: "unchanged",
};

const NOT_FINAL = "not final yet";

function withFacts(accepted: string, facts: readonly Fact[]): ReceiptOutcome {
  const done = `${accepted}, ${NOT_FINAL}`;
  return { done: `${done}; ${facts.map((fact) => fact.join(": ")).join("  ")}`, cells: [done], facts };
}

/** @param by a command that can't undo it, if another might: `by one command` */
export function cannotUndoText(because: string, by?: string): string {
  return `cannot be undone${by === undefined ? "" : ` ${by}`}: ${because}`;
}

export type Undo = { flags: readonly string[] } | { because: string; by?: string };

type Line = readonly [noun: string, verb: string, ...ids: string[]];

export function receiptUndoLine(undo: Undo, session: Session, ...line: Line): Message {
  const found = receiptUndoCommand(undo, session, ...line);
  return "because" in found ? cannotUndoText(found.because, found.by) : { undo: found.line };
}

/** Returns the command that restores exactly the previous values, or why there is none. */
export function receiptUndoCommand(
  undo: Undo,
  session: Session,
  ...[noun, verb, ...ids]: Line
): { line: string } | { because: string; by?: string } {
  if (ids.includes("-")) return { because: "the ID - stands for stdin" };
  if ("because" in undo) return undo;
  const { verb: exact, flags } = noun === "relayers" ? withVerb(verb, undo.flags) : { verb, flags: undo.flags };
  return session.pasteable([noun, exact, ...wordsWithIds(flags, ids)]);
}

function withVerb(verb: string, flags: readonly string[]): { verb: string; flags: readonly string[] } {
  const [flag, ...more] = flags;
  const exact = flag === "--paused" ? "pause" : flag === "--no-paused" ? "resume" : undefined;
  return verb === "update" && exact !== undefined && more.length === 0 ? { verb: exact, flags: [] } : { verb, flags };
}

/** Returns IDs and flags as typed: IDs come last if one looks like a flag. */
export function wordsWithIds(flags: readonly string[], ids: readonly string[]): readonly string[] {
  return ids.some((id) => id.startsWith("-")) ? [...flags, "--", ...ids] : [...ids, ...flags];
}
