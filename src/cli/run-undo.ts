import type { Call } from "../command-support/call.ts";
import { RelayctlError } from "../errors.ts";
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
  const [{ reversalPlan }, { chosenRun }, { shortRuns }] = await Promise.all([
    import("../commands/undo/reversal.ts"),
    import("../commands/history/chosen-writes.ts"),
    import("../journal/journal.ts"),
  ]);
  try {
    await session.recorded();
    const { reversals, refused } = reversalPlan(await chosenRun(journal, run));
    if (reversals.length === 0 || refused.length > 0) return next;
    const pasted = session.pasteable(["undo", (await shortRuns(journal, [run]))(run)]);
    return "line" in pasted ? [...others, { undo: pasted.line }] : next;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return next;
  }
}
