import type { App } from "../../app.ts";
import type { WriteLog } from "../../client/write-log.ts";
import { type Environment, journalVariable } from "../../config/environment.ts";
import type { Settings } from "../../config/resolve-settings.ts";
import { RelayctlError, rescue, usageError } from "../../errors.ts";
import type { Intent, Journal, JournalPlace, RecordedWrite } from "../../journal/journal.ts";
import { LONGEST_READ_LAG } from "../../timing.ts";
import type { RecordedCommand } from "./entries.ts";
import { readLostLines } from "./lost-lines.ts";
import type { LostLinesFlag } from "./lost-lines-flag.ts";
import type { JournaledWrites } from "./write-log.ts";

/** For a transaction that is sent once, and the folder of a run of payments. */
export interface OnceFlags {
  once?: string;
  /** The folder of the journal that knows the keys, or the payments. */
  state?: string;
}

export type JournalFlags = OnceFlags & LostLinesFlag;

/** Returns undefined if none is kept, as in a CI job that has its server and token from variables. */
export function sessionJournalUse(settings: Settings, env: Environment, { once, state }: OnceFlags = {}) {
  const isStrict = !settings.demo && settings.context !== undefined && settings.journal === "required";
  const place = state !== undefined ? { folder: state } : usualPlace(settings, env, isStrict);
  if (place === undefined) return undefined;
  const requiredBy = isStrict ? "this context" : once === undefined ? undefined : "--once";
  return { place, ...(requiredBy !== undefined && { requiredBy }) };
}

/** @throws RelayctlError usage if no journal is kept. @param where the flag or the command that needs it */
export async function requireSessionJournal(
  { journal }: { journal(): Promise<Journal | undefined> },
  where: string,
): Promise<Journal> {
  const opened = await journal();
  if (opened) return opened;
  const rule = "needs a journal, and none is kept here: specify --state FOLDER, or use a stored context";
  throw usageError([{ where, rule }]);
}

function usualPlace(settings: Settings, env: Environment, isStrict: boolean): JournalPlace | undefined {
  const typed = journalVariable(env);
  if (typed === "off" && !isStrict) return undefined;
  if (settings.demo) return "demo";
  if (typed !== undefined && typed !== "off") return { folder: typed };
  return settings.context === undefined ? undefined : "user";
}

/** The journal of a command. Nothing of it is loaded or opened before it is needed. */
export type SessionJournal = ReturnType<typeof sessionJournal>;

type SessionCommand = Pick<RecordedCommand, "argv" | "server" | "coinOf" | "say"> & {
  app: App;
  settings: Settings;
  once?: JournalFlags;
  flags: readonly string[];
  isReadOnly: boolean;
};

/** @param reason called before each write, which it refuses without a required reason */
export function sessionJournal(command: SessionCommand, reason: () => Promise<string | undefined>) {
  const { app, settings, once: onceFlags = {} } = command;
  const context = settings.demo ? "demo" : settings.context?.value;
  const use = sessionJournalUse(settings, app.env, onceFlags);
  let opened: Promise<Journal> | undefined;
  const journal = use && (() => (opened ??= app.journal(use.place)));
  let writes: Promise<JournaledWrites> | undefined;
  const origin: Pick<Intent, "undoes" | "proposal"> = {};
  let recordedRun = (): string | undefined => undefined;
  const opening = async (): Promise<JournaledWrites | undefined> => {
    const typed = await reason();
    if (!use || !journal) return undefined;
    writes ??= import("./write-log.ts").then(({ JournaledWrites }) => {
      const limits = settings.demo ? {} : settings.limits;
      const recorded = { ...command, context, limits, reason: typed, once: onceFlags.once, ...origin };
      return new JournaledWrites(recorded, use.requiredBy, journal);
    });
    const opened = await writes;
    recordedRun = () => opened.recordedRun();
    return opened;
  };
  let known: { writes: JournaledWrites | undefined } | undefined;
  const lateLog = (name: "log" | "bulkLog"): WriteLog => ({
    begin(...write) {
      if (known) return known.writes?.[name].begin(...write);
      return opening().then((writes) => {
        known = { writes };
        return writes?.[name].begin(...write);
      });
    },
  });
  return {
    ...journalReading(command, use, async () => await journal?.()),
    recordedRun: () => recordedRun(),
    async beginPayments(...of: Parameters<JournaledWrites["beginPayments"]>): Promise<string> {
      const opened = await opening();
      if (!opened) throw new RelayctlError("usage", "payments need a journal, and none is kept here");
      return await opened.beginPayments(...of);
    },
    recordUndoOf: (run: string) => void Object.assign(origin, { undoes: run }),
    recordProposal: (proposal: NonNullable<Intent["proposal"]>) => void Object.assign(origin, { proposal }),
    recorded: async () => await (await writes)?.recorded(),
    /** Returns what the journal has of this run, once each outcome is recorded; nothing if it can't be read. */
    async ownWrites(): Promise<readonly RecordedWrite[]> {
      const run = recordedRun();
      if (run === undefined) return [];
      const { readRunWrites } = await import("../../journal/journal.ts");
      const reading = async () => {
        await (await writes)?.recorded();
        const opened = await journal?.();
        return opened ? await readRunWrites(opened, run) : [];
      };
      return await rescue(reading(), () => []);
    },
    log: lateLog("log"),
    /** Records many writes at a time, which do not wait for the records of their outcomes. */
    bulkLog: lateLog("bulkLog"),
  };
}

function journalReading(
  { app, settings, once = {}, flags, isReadOnly }: SessionCommand,
  use: ReturnType<typeof sessionJournalUse>,
  journal: () => Promise<Journal | undefined>,
) {
  const usual = once.state === undefined ? undefined : sessionJournalUse(settings, app.env);
  return {
    journal,
    /** Opens the journal if it was written so recently that a read may not show a write. */
    recentJournal: async () =>
      use && app.wroteSince(use.place, app.clock.now() - LONGEST_READ_LAG) ? await journal() : undefined,
    /** Opens the journal that is kept without `--state`, if it is a different one. */
    async usualJournal() {
      const other = usual && (await app.journal(usual.place));
      const own = await journal();
      const { isSameJournalFolder } = await import("../../journal/folder.ts");
      return own && other && isSameJournalFolder(own.path, other.path) ? undefined : other;
    },
    /**
     * Returns what a journal lost, to be shown before a question for which the user types the context's name; empty if
     * nothing is missing. Callers that pay, or decide an outcome, because the journal lacks something have to check
     * this first.
     * @param isUsual whether the journal is the one kept without `--state`
     * @throws RelayctlError io unless `--even-if-journal-lost-lines` was typed
     */
    async lostLines(journal: Journal, isUsual = false): Promise<string[]> {
      return await readLostLines(journal, { typed: once, isUsual, isReadOnly, flags });
    },
    /** Works under a lock, which another process of the user respects even if no journal is kept. */
    exclusively: async <T>(key: string, work: () => Promise<T>): Promise<T> =>
      await ((await journal()) ?? (await app.journal("user"))).exclusively(key, work),
  };
}
