import { promises } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import { fileErrorCode } from "./file-error.ts";
import { syncFolder } from "./sync-folder.ts";

/** Writes a text to a new file. It may truncate the text without an error: the result is read back. */
export type WriteText = (file: string, text: string) => void | Promise<void>;

/** A text, or its pieces in order: a text that is generated at each read need not be in memory. */
export type Content = Masked<string> | Iterable<Masked<string>>;

/** Another process took over while the new content was prepared; the old content stays. */
export class ReplacedMeanwhile extends Error {}

interface LastStep {
  /** The mode of the file (default: 0600). */
  mode?: number;
  /** Called when the new content is on the disk; a rejection keeps the old one. */
  confirm?(): Promise<void>;
}

const OWNER = "owner";

/**
 * Opens a staging folder and removes all others of the same file, of killed and of still confident processes. Every
 * writer does so before reading the file, so of two concurrent writers one can no longer rename, and the other has read
 * its result.
 * @param target the file itself, not a link to it
 */
export async function openStaging(target: string, unique: string) {
  const folder = join(dirname(target), `${stagingPrefix(target)}${unique}`);
  const remove = () => promises.rm(folder, { recursive: true, force: true });
  await promises.mkdir(folder, { mode: 0o700 });
  try {
    await promises.writeFile(join(folder, OWNER), "", { flag: "wx", mode: 0o600 });
    await removeStale(target, folder);
  } catch (error) {
    await remove();
    throw error;
  }
  const staged = join(folder, basename(target));
  return {
    remove,
    /** Writes, reads back, syncs, and renames over the file. @throws ReplacedMeanwhile */
    async commit(text: Content, write: WriteText, { mode = 0o600, confirm }: LastStep = {}): Promise<void> {
      try {
        await (typeof text === "string" ? write(staged, text) : writePieces(staged, text));
        await verifyStaged(staged, text, { target, mode });
        await confirm?.();
        // A writer may have recreated a removed folder, but cannot recreate this file.
        await promises.access(join(folder, OWNER));
        await promises.rename(staged, target);
      } catch (error) {
        throw fileErrorCode(error) === "ENOENT" ? new ReplacedMeanwhile() : error;
      }
      // A power cut leaves either content whole.
      await syncFolder(dirname(target)).catch(() => {});
    },
  };
}

async function removeStale(target: string, own: string): Promise<void> {
  for (const name of await promises.readdir(dirname(target))) {
    const folder = join(dirname(target), name);
    if (name.startsWith(stagingPrefix(target)) && folder !== own)
      await promises.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function stagingPrefix(target: string): string {
  return `.${basename(target)}.relayctl-`;
}

async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const file = await promises.open(path, "wx", 0o600);
  try {
    for (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

async function verifyStaged(staged: string, text: Content, { target, mode }: { target: string; mode: number }) {
  const file = await promises.open(staged, "r+");
  try {
    await file.chmod(mode);
    await file.sync();
    if (await containsText(file, typeof text === "string" ? [text] : text)) return;
    throw new RelayctlError(
      "io",
      `${target}: could not be written completely, the disk may be full; the old content is kept`,
    );
  } finally {
    await file.close();
  }
}

async function containsText(file: promises.FileHandle, pieces: Iterable<string>): Promise<boolean> {
  let position = 0;
  for (const piece of pieces) {
    const expected = Buffer.from(piece);
    const found = Buffer.alloc(expected.length);
    const { bytesRead } = await file.read(found, 0, expected.length, position);
    if (bytesRead < expected.length || !found.equals(expected)) return false;
    position += bytesRead;
  }
  return (await file.stat()).size === position;
}
