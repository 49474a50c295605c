import { nextWords } from "./receipt-words.ts";
import type { Session } from "./session.ts";

export type Undo = { flags: readonly string[] } | { because: string };

type Line = readonly [noun: string, verb: string, ...ids: string[]];

export function undoLine(undo: Undo, session: Session, ...line: Line): string {
  const found = undoCommand(undo, session, ...line);
  return "because" in found ? nextWords.cannotUndo(found.because) : nextWords.undo(found.line);
}

/** Returns the command that undoes a change by restoring exactly the previous values, or why there is none. */
export function undoCommand(
  undo: Undo,
  session: Session,
  ...[noun, verb, ...ids]: Line
): { line: string } | { because: string } {
  if (ids.includes("-")) return { because: "the ID - stands for stdin" };
  if ("because" in undo) return undo;
  const { verb: exact, flags } = noun === "relayers" ? withVerb(verb, undo.flags) : { verb, flags: undo.flags };
  return session.pasteable([noun, exact, ...withIds(flags, ids)]);
}

function withVerb(verb: string, flags: readonly string[]): { verb: string; flags: readonly string[] } {
  const [flag, ...more] = flags;
  const exact = flag === "--paused" ? "pause" : flag === "--no-paused" ? "resume" : undefined;
  return verb === "update" && exact !== undefined && more.length === 0 ? { verb: exact, flags: [] } : { verb, flags };
}

/** Returns IDs and flags as typed: IDs come last if one would be parsed as a flag. */
export function withIds(flags: readonly string[], ids: readonly string[]): readonly string[] {
  return ids.some((id) => id.startsWith("-")) ? [...flags, "--", ...ids] : [...ids, ...flags];
}
