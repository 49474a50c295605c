import type { Relayer } from "../../../contract/relayer.ts";
import type { Session } from "../../../flow/session.ts";
import { undoLine } from "../../undo-line.ts";
import { changesOf } from "../changes.ts";
import { undoOf } from "../undo.ts";
import type { Target } from "./targets.ts";

/** A target that was changed, and as it is now. */
export type Applied = Target & { after: Relayer };

/** A longer line is nothing that a person would paste. */
const MOST_IDS = 100;

/**
 * The one command that takes back what was applied to many, or why there is none. Nothing where it is not known of each
 * what was before: a pause may have been there already.
 */
export function manyUndo(applied: readonly Applied[], session: Session): string[] {
  if (applied.length === 0 || applied.length > MOST_IDS) return [];
  const ids = applied.map(({ id }) => id);
  const lines = new Set<string>();
  for (const { body, before, after } of applied) {
    if (!before) return [];
    lines.add(undoLine(undoOf(changesOf(body, before), after), session, "relayers", "update", ...ids));
  }
  return lines.size === 1 ? [...lines] : ["cannot be undone by one command: they were not alike before"];
}
