import { constants, type promises } from "node:fs";
import { lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { usageError } from "../../errors.ts";
import { RUN_FILE_GRACE, RUN_FILE_LIFETIME } from "../../timing.ts";
import { fileError, fileErrorCode, throwFileError } from "./file-error.ts";
import { makeFolder } from "./make-folder.ts";

/** A file that grows by whole lines, so that its content is valid whenever the process ends. */
export type LineFile = ReturnType<typeof lineWriter>;

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK } = constants;

/** Opens an empty private file for lines, or a pipe. @throws RelayctlError usage, or io if the disk fails */
export async function createLineFile(path: string): Promise<LineFile> {
  try {
    const { handle, isNew } = await openToAppend(path);
    const stat = await handle.stat().catch(async (error: unknown) => {
      await handle.close().catch(() => {});
      throw error;
    });
    if (stat.isFile() && stat.size > 0) {
      await handle.close().catch(() => {});
      throw usageError([{ where: path, rule: "is not empty and would be overwritten; specify another file" }]);
    }
    // The mode stays on a system without modes, or for another user's file.
    if (stat.isFile()) await handle.chmod(0o600).catch(() => {});
    return lineWriter(path, handle, { isNew, isPlain: stat.isFile() });
  } catch (error) {
    throw fileError(path, "written", error);
  }
}

const ENDING = ".ids";
const MOST_RUNS = 100;

/** Opens a run's private file in a folder, and removes old runs' files. @param now milliseconds since 1970 */
export async function createRunLineFile(folder: string, run: string, now: number): Promise<LineFile> {
  const path = join(folder, run + ENDING);
  await removeOldRuns(folder, now);
  await makeFolder(folder).catch(throwFileError(path, "written"));
  return await createLineFile(path);
}

/** Removes the oldest files, as far as possible: a retry is typed soon after its run, and the journal keeps the writes. */
async function removeOldRuns(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ENDING));
  const found = await Promise.all(names.map((name) => readAge(join(folder, name), now)));
  const files = found.filter((file) => file !== undefined).sort((one, other) => one.age - other.age);
  for (const [index, { path, age }] of files.entries())
    if (age > RUN_FILE_LIFETIME || (index >= MOST_RUNS && age > RUN_FILE_GRACE)) await rm(path).catch(() => {});
}

async function readAge(path: string, now: number): Promise<{ path: string; age: number } | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isFile() ? { path, age: now - facts.mtimeMs } : undefined;
}

async function openToAppend(path: string): Promise<{ handle: promises.FileHandle; isNew: boolean }> {
  // Do not wait for a pipe without a reader.
  const flags = O_WRONLY | O_APPEND | (O_NONBLOCK ?? 0);
  try {
    return { handle: await open(path, flags | O_CREAT | O_EXCL, 0o600), isNew: true };
  } catch (error) {
    if (fileErrorCode(error) !== "EEXIST") throw error;
    return { handle: await open(path, flags), isNew: false };
  }
}

function lineWriter(
  path: string,
  handle: promises.FileHandle,
  { isNew, isPlain }: { isNew: boolean; isPlain: boolean },
) {
  let size = 0;
  let torn: unknown;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (bytes: Uint8Array) => {
    if (torn !== undefined) throw torn;
    try {
      await handle.appendFile(bytes);
      size += bytes.length;
    } catch (error) {
      const problem = fileError(path, "written", error);
      // A truncated ID may be another valid ID.
      if (isPlain)
        await handle.truncate(size).catch(() => {
          torn = problem;
        });
      throw problem;
    }
  };
  return {
    path,
    /** Set if a part of a line that does not fit could not be removed: nothing follows it. */
    get isTorn(): boolean {
      return torn !== undefined;
    },
    /** Passes a line to the system, or removes it if it does not fit. @throws RelayctlError io or usage; try further */
    append(line: Masked<string>): Promise<void> {
      const written = last.then(() => write(new TextEncoder().encode(`${line}\n`)));
      last = written.catch(() => {});
      return written;
    },
    /** Closes the file, and removes it, if possible, if it is new and empty. Never fails. */
    async close(): Promise<void> {
      await last;
      await handle.close().catch(() => {});
      if (isNew && size === 0) await rm(path, { force: true }).catch(() => {});
    },
  };
}
