import type { Completed } from "../../../command-support/bulk/run.ts";
import { nextWords } from "../../../command-support/receipt-words.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { grouped } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { verbFor } from "./consent.ts";
import { pipedCommand } from "./undo-file.ts";

/** Up to so many IDs, all that failed or were not started are part of the error's own lines. */
const MOST_IDS = 100;

/**
 * Keeps the IDs of very many relayers that a run did not change in a file next to the journal, if the journal has the
 * run. If no relayer was changed, the command that was typed reaches them all again.
 * @returns the line about the file
 */
export async function keepUnchanged(
  call: Call,
  session: Session,
  completed: readonly Completed<unknown>[],
  verb: ReturnType<typeof verbFor>,
): Promise<string[]> {
  const missed = completed.filter(({ value }) => value === undefined);
  const run = session.recordedRun();
  if (run === undefined || missed.length <= MOST_IDS || missed.length === completed.length) return [];
  try {
    const file = await call.app.lineFile({ run });
    try {
      await file.append(call.app.secrets.redact(missed.map(({ id }) => id).join("\n")));
    } finally {
      await file.close();
    }
    const inWords = `relayers ${verb} the IDs in ${file.path}`;
    const command = verb === "update" ? undefined : pipedCommand(call, session, { path: file.path, verb });
    return [nextWords.retry(command ?? inWords)];
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return [`warning: the IDs of ${grouped(missed.length)} relayers were not kept: ${error.message}`];
  }
}
