import type { Session } from "../flow/session.ts";
import { commandLine } from "../flow/shell-words.ts";

/** The flags that restore what was, or why no command can. */
export type Undo = { flags: readonly string[] } | { because: string };

/** The command that takes a change back, for its receipt. */
export function undoLine(undo: Undo, { flags }: Session, ...command: readonly string[]): string {
  if ("because" in undo) return `cannot be undone: ${undo.because}`;
  return `undo: ${commandLine(...flags, ...command, ...undo.flags)}`;
}
