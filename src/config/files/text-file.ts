import { promises } from "node:fs";
import { dirname } from "node:path";
import { RelayctlError } from "../../errors.ts";
import { codeOf, fileError } from "./file-error.ts";
import { type Surroundings, withLock } from "./lock.ts";
import { readText } from "./read-text.ts";
import { Overtaken, openStaging, type WriteText } from "./staging.ts";

/** A file of this program's own. After a kill, a full disk or beside a second writer it holds the old text or the new one. */
export interface TextFile {
  /** The text, or nothing when there is no file. */
  load(): Promise<string | undefined>;
  /** Reads, edits and writes under a lock. The same text is not written again. */
  change(edit: (text: string | undefined) => string): Promise<void>;
  /** Makes the text anew under the lock, which it never waits for: whoever holds it is doing the same. */
  renew(make: (text: string | undefined) => Promise<string>): Promise<void>;
}

export interface TextFileOptions {
  surroundings: Surroundings;
  maxBytes: number;
  /** Loaded before the lock is taken, so that nobody waits for it. */
  writer?: () => Promise<WriteText>;
}

/** How often two writers may get into each other's way before one gives up. */
const ATTEMPTS = 20;

export function createTextFile(path: string, options: TextFileOptions): TextFile {
  return {
    load: () => readText(path, options.maxBytes),
    async change(edit) {
      try {
        await change(path, options, edit);
      } catch (error) {
        throw fileError(path, "written", error);
      }
    },
    async renew(make) {
      await makeFolder(dirname(path));
      await withLock(path, options.surroundings, () => renewOnce(path, options, make), 0);
    },
  };
}

async function change(
  path: string,
  options: TextFileOptions,
  edit: (text: string | undefined) => string,
): Promise<void> {
  const write = (await options.writer?.()) ?? writePlainly;
  await makeFolder(dirname(path));
  const target = await targetOf(path);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await withLock(target, options.surroundings, () => changeOnce(target, options, edit, write))) return;
  }
  throw new RelayctlError("usage", `${path}: other processes keep writing to it; nothing was changed`);
}

/** @returns false when another process took over */
async function changeOnce(
  target: string,
  options: TextFileOptions,
  edit: (text: string | undefined) => string,
  write: WriteText,
): Promise<boolean> {
  const staging = await openStaging(target, options.surroundings.random.uuid());
  try {
    const before = await readText(target, options.maxBytes);
    const after = edit(before);
    if (after !== before) await staging.commit(after, write);
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  } finally {
    // What cannot be removed now is removed by the next writer.
    await staging.remove().catch(() => undefined);
  }
}

async function renewOnce(
  path: string,
  options: TextFileOptions,
  make: Parameters<TextFile["renew"]>[0],
): Promise<void> {
  const text = await make(await readText(path, options.maxBytes));
  await changeOnce(path, options, () => text, writePlainly);
}

/** The mode is set once more, because the umask has a say in the first. */
async function makeFolder(path: string): Promise<void> {
  const made = await promises.mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await promises.chmod(path, 0o700);
}

/** The file behind a link, so that the link stays. */
async function targetOf(path: string): Promise<string> {
  return await promises.realpath(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return path;
    throw error;
  });
}

const writePlainly: WriteText = (file, text) => promises.writeFile(file, text, { flag: "wx", mode: 0o600 });
