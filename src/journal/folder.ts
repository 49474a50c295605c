import { closeSync, fstatSync, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { fileErrorCode } from "../config/files/file-error.ts";
import { keepFilePrivate, keepFolderPrivate, type Owner } from "../config/files/privacy.ts";
import { openNow } from "../config/files/read-now.ts";
import { elseOnError, usageError } from "../errors.ts";

/** The folder of a journal, which only opens trusted files. */
export type JournalFolder = ReturnType<typeof createJournalFolder>;

export type OpenFile = NonNullable<Awaited<ReturnType<typeof openTrusted>>>;

const OURS =
  /^(?:\d{4}-\d{2}\.ndjson|\.?(?:head\.json|salt).*|lookup|torn-.+|waiting|wanted|journal\.lock|key-[0-9a-f]{32}\.lock)$/;
const MONTH = /^\d{4}-\d{2}\.ndjson$/;

/** Returns whether two paths lead to one folder, by a link or another spelling. */
export function isSameJournalFolder(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => elseOnError(() => statSync(path, { bigint: true })));
  if (!first || !second) return one === other;
  return first.dev === second.dev && first.ino === second.ino;
}

/** Returns what the work makes of an open file, which it closes; undefined if there is none to read. */
export async function withFolderFile<T>(
  folder: JournalFolder,
  name: string,
  use: "read" | "append",
  work: (file: OpenFile) => T | Promise<T>,
): Promise<T | undefined> {
  const file = await folder.open(name, use);
  try {
    return file && (await work(file));
  } finally {
    file?.close();
  }
}

/** @param owner has the variable that moves the journal, too */
export function createJournalFolder(path: string, owner: Owner) {
  const names = (): readonly string[] => {
    try {
      return readdirSync(path);
    } catch (error) {
      if (fileErrorCode(error) === "ENOENT") return [];
      throw error;
    }
  };
  return {
    path,
    names,
    /** Makes the folder private. @throws RelayctlError usage if it belongs to another user */
    keepPrivate: () => keepFolderPrivate(path, owner, OURS),
    /** Returns the names of the files with lines, oldest month first. */
    async months(): Promise<readonly string[]> {
      await keepFolderPrivate(path, owner, OURS);
      return names()
        .filter((name) => MONTH.test(name))
        .sort();
    },
    /** A missing file is created for appending. @throws RelayctlError usage if it is irregular or another user's */
    open: (name: string, use: "read" | "append") => openTrusted(join(path, name), use, owner),
  };
}

async function openTrusted(path: string, use: "read" | "append", owner: Owner) {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there) refuseOther(path, there);
  else if (use === "read") return undefined;
  await keepFilePrivate(path, owner);
  try {
    const descriptor = openNow(path, use);
    const facts = fstatSync(descriptor);
    return { path, descriptor, size: facts.size, close: () => closeSync(descriptor) };
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT" && use === "read") return undefined;
    throw error;
  }
}

function refuseOther(path: string, facts: Stats): void {
  if (facts.isSymbolicLink()) throw usageError([{ where: path, rule: "is a link, and not a file of the journal" }]);
  if (!facts.isFile()) throw usageError([{ where: path, rule: "is not a regular file" }]);
}
