import { RelayctlError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { commandLine, historyCommand } from "../../shell/shell-words.ts";
import { LOST_LINES, type LostLinesFlag } from "./lost-lines-flag.ts";

interface Losing {
  typed: LostLinesFlag & { state?: string };
  isUsual: boolean;
  isReadOnly: boolean;
  flags: readonly string[];
}

/** @throws RelayctlError io unless the flag was typed */
export async function readLostLines(
  journal: Journal,
  { typed, isUsual, isReadOnly, flags }: Losing,
): Promise<string[]> {
  try {
    await journal.requireComplete({ isReadOnly });
    return [];
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    if (typed.evenIfJournalLostLines) return [error.message];
    const verify = ["history", "verify"];
    throw error.with({
      because: [
        "nothing was sent, since what those lines recorded could be done again",
        `restore the files, or continue with ${LOST_LINES[0]} if you know what they recorded`,
      ],
      hint: isUsual ? commandLine(...flags, ...verify) : historyCommand(typed.state, flags, verify),
    });
  }
}
