import { promises } from "node:fs";
import { dirname } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import { fileErrorCode, throwFileError } from "./file-error.ts";
import { type LockWorld, withLock } from "./lock.ts";
import { makeFolder } from "./make-folder.ts";
import { readText } from "./read-text.ts";
import { type Content, openStaging, ReplacedMeanwhile, type WriteText } from "./staging.ts";

/** A file of this program, which always contains the old text or the new one. */
export type TextFile = ReturnType<typeof createTextFile>;

/** Returns the new text; no other process does what it awaits meanwhile. */
type Edit = (text: string | undefined) => Content | Promise<Content>;

type Make = (text: string | undefined) => Promise<Masked<string>>;

export interface TextFileOptions {
  surroundings: LockWorld;
  maxBytes: number;
  /** Set if its folder is the user's: it is not created. */
  inUsersFolder?: true;
  /** Loads the writer before the lock is taken, so that no other process waits for the load. */
  writer?: () => Promise<WriteText>;
}

/** How often two writers may disturb each other before one gives up. */
const ATTEMPTS = 20;

export function createTextFile(path: string, options: TextFileOptions) {
  return {
    path,
    load: () => readText(path, options.maxBytes),
    /** Reads, edits, and writes a changed text under a lock, together with `failed` if it was not written. */
    change: (edit: Edit, failed?: () => Promise<void>) =>
      changeText(path, options, { edit, failed }).catch(throwFileError(path, "written")),
    /** Rewrites the text under the lock without waiting for it: the holder is doing the same. */
    renew: (make: Make) => renewText(path, options, make).catch(throwFileError(path, "written")),
  };
}

interface Change {
  edit: Edit;
  failed?: (() => Promise<void>) | undefined;
}

async function changeText(path: string, options: TextFileOptions, wanted: Change): Promise<void> {
  const write = (await options.writer?.()) ?? writePlainly;
  if (!options.inUsersFolder) await makeFolder(dirname(path));
  const target = await promises.realpath(path).catch((error: unknown) => {
    if (fileErrorCode(error) === "ENOENT") return path;
    throw error;
  });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await withLock(target, options.surroundings, () => changeOnce(target, options, wanted, write))) return;
  }
  throw new RelayctlError("usage", `${path}: other processes keep writing to it; nothing was changed`);
}

/** @returns false if another process took over */
async function changeOnce(target: string, options: TextFileOptions, { edit, failed }: Change, write: WriteText) {
  const staging = await openStaging(target, options.surroundings.random.uuid());
  try {
    const before = await readText(target, options.maxBytes);
    const after = await edit(before);
    if (after !== before) await staging.commit(after, write);
    return true;
  } catch (error) {
    if (error instanceof ReplacedMeanwhile) return false;
    await failed?.();
    throw error;
  } finally {
    // The next writer removes leftovers.
    await staging.remove().catch(() => undefined);
  }
}

async function renewText(path: string, options: TextFileOptions, make: Make): Promise<void> {
  const renewOnce = async () => {
    const text = await make(await readText(path, options.maxBytes));
    await changeOnce(path, options, { edit: () => text }, writePlainly);
  };
  await makeFolder(dirname(path));
  await withLock(path, options.surroundings, renewOnce, { patience: 0 });
}

const writePlainly: WriteText = (file, text) => promises.writeFile(file, text, { flag: "wx", mode: 0o600 });
