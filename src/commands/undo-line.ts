import type { Session } from "../command-support/session/session.ts";

/** The flags that restore what was, or why no command can. */
export type Undo = { flags: readonly string[] } | { because: string };

/**
 * The command that undoes a change, for its receipt; it restores exactly what was, or is not given.
 * @param command the noun and the verb, then ids
 */
export function undoLine(
  undo: Undo,
  session: Session,
  ...[noun, verb, ...ids]: readonly [string, string, ...string[]]
): string {
  if (ids.includes("-")) return "cannot be undone: the ID - stands for stdin";
  const pasted = "because" in undo ? undo : session.pasteable([noun, verb, ...withIds(undo.flags, ids)]);
  return "because" in pasted ? `cannot be undone: ${pasted.because}` : `undo: ${pasted.line}`;
}

/** Ids and flags as they are typed: ids last where one of them would be taken for a flag. */
export function withIds(flags: readonly string[], ids: readonly string[]): readonly string[] {
  return ids.some((id) => id.startsWith("-")) ? [...flags, "--", ...ids] : [...ids, ...flags];
}
