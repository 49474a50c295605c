import type { Session } from "../../../command-support/session/session.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { type Undo, undoLine } from "../../undo-line.ts";
import { changesOf } from "../change/changes.ts";
import { undoOf } from "../change/undo.ts";
import type { Target } from "./targets.ts";

/** A target that was changed, and as it is now. */
export type Applied = Target & { after: Relayer };

/** A longer line is nothing that a person would paste, nor are more of them. */
const MOST_IDS = 100;
const MOST_LINES = 10;

/**
 * The commands that take back what was applied to many, one for all that were alike before, or why there is none. Nothing
 * where it is not known of each what was before: a pause may have been there already.
 */
export function manyUndo(
  applied: readonly Applied[],
  session: Session,
  symbols: ReadonlyMap<string, string | undefined>,
): string[] {
  if (applied.length === 0 || applied.length > MOST_IDS) return [];
  const alike = new Map<string, { undo: Undo; ids: string[] }>();
  for (const { id, body, before, after } of applied) {
    if (!before) return [];
    const undo = undoOf(changesOf(body, before), after, symbols.get(before.network ?? ""));
    const key = "because" in undo ? undo.because : undo.flags.join("\0");
    alike.set(key, { undo, ids: [...(alike.get(key)?.ids ?? []), id] });
  }
  const groups = [...alike.values()];
  if (groups.length > MOST_LINES)
    return ["cannot be undone by a few commands: the relayers had different values before"];
  return groups.map(({ undo, ids }) => {
    const line = undoLine(undo, session, "relayers", "update", ...ids);
    return "because" in undo && groups.length > 1 ? `${ids.join(", ")}: ${line}` : line;
  });
}
