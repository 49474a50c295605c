import { nextWords } from "../command-support/receipt-words.ts";
import type { Session } from "../command-support/session/session.ts";

/** The flags that restore the previous values, or why no command can. */
export type Undo = { flags: readonly string[] } | { because: string };

/**
 * Returns the command that undoes a change, for its receipt; it restores exactly the previous values, or is omitted.
 * @param undo the flags that restore the values, or why none can
 */
export function undoLine(
  undo: Undo,
  session: Session,
  ...[noun, verb, ...ids]: readonly [string, string, ...string[]]
): string {
  if (ids.includes("-")) return nextWords.cannotUndo("the ID - stands for stdin");
  const pasted = "because" in undo ? undo : session.pasteable([noun, verb, ...withIds(undo.flags, ids)]);
  return "because" in pasted ? nextWords.cannotUndo(pasted.because) : nextWords.undo(pasted.line);
}

/** Returns IDs and flags as typed: IDs come last if one would be parsed as a flag. */
export function withIds(flags: readonly string[], ids: readonly string[]): readonly string[] {
  return ids.some((id) => id.startsWith("-")) ? [...flags, "--", ...ids] : [...ids, ...flags];
}
