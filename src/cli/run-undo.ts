import type { Call } from "../command-support/call.ts";
import { rescue } from "../errors.ts";
import type { Message } from "../message.ts";
import type { View } from "../terminal/view.ts";

/** Adds the command that undoes the run by its ID on a terminal, if the journal can restore all that it changed. */
export async function withRunUndo(view: View, call: Call<{ undoFile?: string }>): Promise<View> {
  if (!call.app.stderr.isTerminal || call.flags.undoFile !== undefined || view.kind === "nothing") return view;
  if (view.kind !== "list") return view.next ? { ...view, next: await undoneByRun(view.next, call) } : view;
  const { ending } = view;
  if (!ending) return view;
  // Not a copy: pages may change their list while they are read.
  view.ending = async () => {
    const ended = await ending.call(view);
    return ended.next ? { ...ended, next: await undoneByRun(ended.next, call) } : ended;
  };
  return view;
}

async function undoneByRun(next: readonly Message[], call: Call): Promise<readonly Message[]> {
  const others = next.filter((line) => typeof line === "string" || !("undo" in line));
  if (others.length === next.length) return next;
  const session = await call.session();
  const run = session.recordedRun();
  const journal = await session.journal();
  if (run === undefined || !journal) return next;
  const { canUndoOwnRun } = await import("../commands/undo/reversal.ts");
  if (!(await canUndoOwnRun(session))) return next;
  const { shortRuns } = await import("../journal/journal.ts");
  const short = await rescue(shortRuns(journal, [run]), () => (whole: string) => whole);
  const pasted = session.pasteable(["undo", short(run)]);
  return "line" in pasted ? [...others, { undo: pasted.line }] : next;
}
