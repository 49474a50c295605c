import type { WriteLog } from "../../client/write-log.ts";
import { usageError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { journalUse } from "./journal-use.ts";
import type { RecordedCommand } from "./write-log.ts";

/** The journal of a command. Nothing of it is loaded or opened before it is needed. */
export interface SessionJournal {
  /** Records the writes of the command. */
  log: WriteLog;
  /** Opens the journal; returns undefined if none is kept. */
  journal(): Promise<Journal | undefined>;
}

export function sessionJournal(command: RecordedCommand): SessionJournal {
  const { app, settings } = command;
  const use = journalUse(settings, app.env);
  let opened: Promise<Journal> | undefined;
  const journal = use && (() => (opened ??= app.journal(use.place)));
  let log: Promise<WriteLog> | undefined;
  return {
    journal: async () => await journal?.(),
    log: {
      async begin(request, before) {
        refuseWithoutReason(command);
        if (!use || !journal) return async () => {};
        log ??= import("./write-log.ts").then(({ journaledWrites }) => journaledWrites(command, use, journal));
        return await (await log).begin(request, before);
      },
    },
  };
}

/**
 * Refuses to write without a reason if the context requires one.
 * @throws RelayctlError usage
 */
export function refuseWithoutReason({ settings, reason }: Pick<RecordedCommand, "settings" | "reason">): void {
  if (settings.demo || !settings.requiresReason || reason !== undefined) return;
  const rule = `context ${settings.context?.value} requires a reason for each write; nothing was sent`;
  throw usageError([{ where: "--reason", rule }]);
}
