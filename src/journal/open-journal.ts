import { fileError } from "../config/files/file-error.ts";
import type { Surroundings } from "../config/files/lock.ts";
import type { Owner } from "../config/files/privacy.ts";
import { RelayctlError } from "../errors.ts";
import type { Entry } from "./entry.ts";
import { createFolder, type JournalFolder, type OpenFile } from "./folder.ts";
import type { Journal, MaskedJournal } from "./journal.ts";
import type { Processes } from "./lease.ts";
import { entryOf, roughEntryOf, timeOf } from "./line.ts";
import { findEntries } from "./lookup/find-entries.ts";
import { readBackwards } from "./read-backwards.ts";
import { isRunning } from "./running.ts";

export interface JournalOptions extends Omit<Owner, "variable"> {
  /** The absolute path of the folder, which is created with the first entry. */
  path: string;
  surroundings: Surroundings;
  /** What is known of processes, so that the lease of one that has ended is taken over at once. */
  processes?: Processes;
}

const NO_PROCESSES: Processes = { own: 0, host: () => "", isRunning: () => true };

/** Opens the journal in a folder. Reading takes no lock and writes nothing. */
export function openJournal({ path, surroundings, processes = NO_PROCESSES, ...owner }: JournalOptions): MaskedJournal {
  const folder = createFolder(path, { ...owner, variable: "RELAYCTL_JOURNAL" });
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw fileError(path, "read", error);
    }
  };
  // A command that only looks up a transaction needs neither the code of these nor Node's hashes.
  let append: Promise<MaskedJournal["append"]> | undefined;
  let fingerprint: Promise<Journal["fingerprint"]> | undefined;
  return {
    path,
    append: async (entry, options) => {
      append ??= import("./appender.ts").then((module) => module.createAppender(folder, surroundings));
      await (await append)(entry, options);
    },
    find: (key) => reading(() => findEntries(folder, key)),
    newestFirst: (since = Number.NEGATIVE_INFINITY, { mayRound = false, run } = {}) => {
      const parse = mayRound ? roughEntryOf : entryOf;
      return newestFirst(folder, since, run === undefined ? parse : ofRun(run, parse));
    },
    exclusively: async (key, work) => {
      const { createExclusive } = await import("./exclusive.ts");
      return await createExclusive(folder, surroundings)(key, work);
    },
    leased: async (key, work) => {
      const { createLeased } = await import("./lease.ts");
      return await createLeased(folder, surroundings, processes)(key, work);
    },
    isRunning: (intent) => isRunning(intent, processes),
    newId: () => surroundings.random.uuid(),
    verify: () =>
      reading(async () => (await (await import("./completeness/verify.ts")).readWholeJournal(folder)).found),
    requireComplete: async (options = {}) => {
      try {
        const { requireComplete } = await import("./completeness/require-complete.ts");
        await reading(() => requireComplete(folder, surroundings, options));
      } catch (error) {
        throw error instanceof RelayctlError && error.failure !== "interrupted" ? error.with({ failure: "io" }) : error;
      }
    },
    fingerprint: async (secret) => {
      fingerprint ??= import("./fingerprint.ts").then((module) => module.createFingerprint(folder, surroundings));
      return await (await fingerprint)(secret);
    },
  };
}

async function* newestFirst(folder: JournalFolder, since: number, parse: typeof roughEntryOf): AsyncGenerator<Entry> {
  const first = since === Number.NEGATIVE_INFINITY ? "" : new Date(since).toISOString();
  try {
    for (const name of (await folder.months()).toReversed()) {
      if (name < first.slice(0, "2026-11".length)) return;
      yield* newestOf(await folder.open(name, "read"), first, parse);
    }
  } catch (error) {
    throw fileError(folder.path, "read", error);
  }
}

/** @param first an ISO time; earlier entries are left out */
function* newestOf(file: OpenFile | undefined, first: string, parse: typeof roughEntryOf): Generator<Entry> {
  if (!file) return;
  try {
    for (const line of readBackwards(file.descriptor, file.size)) {
      if ((timeOf(line) ?? first) < first) continue;
      const entry = parse(line, file.path);
      if (entry && entry.time >= first) yield entry;
    }
  } finally {
    file.close();
  }
}

/** Returns the same for the lines of one run: a line that does not contain its ID is not parsed. */
function ofRun(run: string, parse: typeof roughEntryOf): typeof roughEntryOf {
  return (line, path) => {
    const entry = line.includes(run) ? parse(line, path) : undefined;
    return entry?.run === run ? entry : undefined;
  };
}
