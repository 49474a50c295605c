import { acceptLostLines } from "../../command-support/journaling/lost-lines.ts";
import type { Session } from "../../command-support/session/session.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst, writesOf } from "../../journal/writes.ts";
import { isInProgress } from "../../recovery/write-state.ts";
import type { Call } from "../command.ts";
import { chosenRun } from "../history/chosen-writes.ts";
import { noJournal } from "../history/open.ts";
import { undoableOf } from "./plan.ts";
import { isInEffect } from "./undone.ts";

/**
 * Returns the writes of the specified run, or of the newest one that is not undone yet, oldest first.
 * @throws RelayctlError usage, not_found; conflict if its process still runs, which may send more
 */
export async function runToUndo(call: Call, session: Session): Promise<readonly [RecordedWrite, ...RecordedWrite[]]> {
  const journal = await session.journal();
  if (!journal) throw noJournal(call.app.env);
  await acceptLostLines(call, journal, "the undo");
  const [typed] = call.args;
  const writes = typed === undefined ? await newestRun(journal, session.origin) : await chosenRun(journal, typed);
  const [first, ...others] = writes;
  if (!first) {
    const none =
      typed === undefined
        ? `nothing to undo: the journal has no run in ${session.name} that is not undone`
        : `the journal has no run "${typed}"`;
    throw new RelayctlError("not_found", none, { hint: commandLine(...session.flags, "history") });
  }
  const { server, context } = first.intent;
  if (server !== session.origin) {
    const where = context === undefined ? server : `${server} (context ${context})`;
    throw usageError([{ where: "[run]", rule: `is a run at ${where}, not in ${session.name}` }]);
  }
  if (isInProgress(writes, journal)) {
    const { run, pid, host } = first.intent;
    const because = [`process ${pid} on ${host} sends it`, "nothing was sent now"];
    throw new RelayctlError("conflict", `run ${run} is still in progress`, { because, retryable: true });
  }
  return [first, ...others];
}

/**
 * Returns the writes of the newest run that changed something at a service and is not undone. The run of an undo is
 * undone only by its ID: otherwise a second undo would restore what the first one undid.
 */
async function newestRun(journal: Journal, server: string): Promise<readonly RecordedWrite[]> {
  const undos: RecordedWrite[] = [];
  const seen = new Set<string>();
  for await (const write of writesNewestFirst(journal)) {
    const { run, undoes, server: origin } = write.intent;
    if (origin !== server || appliedOf(write) === "no") continue;
    if (undoes !== undefined) undos.push(write);
    else if (!seen.has(run)) {
      seen.add(run);
      const entries = (await journal.find(run)).filter((entry) => entry.run === run);
      const writes = writesOf(entries);
      const applied = writes.filter((each) => appliedOf(each) !== "no");
      if (undoableOf(applied).some((each) => isInEffect(each, undos))) return writes;
    }
  }
  return [];
}
