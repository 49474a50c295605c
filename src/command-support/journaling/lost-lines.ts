import { RelayctlError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { LOST_LINES, type LostLinesFlag } from "../../session/journaling/lost-lines-flag.ts";
import { commandLine, historyCommand } from "../../shell/shell-words.ts";
import type { Call } from "../call.ts";
import { askConsent } from "../consent/consent.ts";
import { isShown } from "../shown.ts";

/**
 * Returns what the journal lost, to be shown before a question for which the user types the context's name; empty if
 * nothing is missing. Callers that pay, or decide an outcome, because the journal lacks something have to check this
 * first.
 * @param isUsual whether the journal is the one kept without `--state`
 * @throws RelayctlError io unless the flag was typed
 */
export async function lostLines(call: Call, journal: Journal, isUsual = false): Promise<string[]> {
  const { evenIfJournalLostLines: isAccepted, state }: LostLinesFlag & { state?: string } = call.flags;
  try {
    await journal.requireComplete({ isReadOnly: isShown(call) });
    return [];
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    if (isAccepted) return [error.message];
    const { flags } = await call.session();
    throw error.with({
      because: [
        "nothing was sent, since what those lines recorded could be done again",
        `restore the files, or continue with ${LOST_LINES[0]} if you know what they recorded`,
      ],
      hint: isUsual ? commandLine(...flags, "history", "verify") : historyCommand(state, flags, ["history", "verify"]),
    });
  }
}

/** Resolves if the journal lost nothing, or the user continues without it. @throws RelayctlError io, declined */
export async function acceptLostLines(call: Call, journal: Journal, act: string): Promise<void> {
  const risks = await lostLines(call, journal);
  if (risks.length === 0) return;
  const { name } = await call.session();
  if (isShown(call)) return await call.say({ note: `requires --confirm ${name}: ${risks.join("; ")}` });
  const question = `Continue ${act} in ${name} without these lines? What they recorded could be done again.`;
  await askConsent(call, { question, act: `${act} without lines of the journal`, risks, sort: { type: name } }, risks);
}
