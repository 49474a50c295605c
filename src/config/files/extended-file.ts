import { constants, type promises } from "node:fs";
import { open } from "node:fs/promises";
import { type Masked, markMasked } from "../../contract/secret-fields.ts";
import { usageError } from "../../errors.ts";
import { fileError, throwFileError } from "./file-error.ts";

export type ExtendedFile = Awaited<ReturnType<typeof openExtended>>;

/** Does not wait for a pipe without a reader. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const NEWLINE = 0x0a;

/** Opens a private file for adding lines, and ends a truncated last line first. */
export async function openExtended(path: string) {
  try {
    const handle = await open(path, FLAGS, 0o600);
    return await prepareFile(path, handle).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
  } catch (error) {
    throw fileError(path, "written", error);
  }
}

async function prepareFile(path: string, handle: promises.FileHandle) {
  const stat = await handle.stat();
  if (!stat.isFile()) throw usageError([{ where: path, rule: "cannot be written: it is not a regular file" }]);
  // The mode stays on a system without modes, or for another user's file.
  await handle.chmod(0o600).catch(() => {});
  let { size } = stat;
  let last: Promise<unknown> = Promise.resolve();
  /** Passes a text to the operating system. Rejects with a `usage` or `io` error that contains the path. */
  const add = (text: Masked<string>): Promise<void> => {
    size += Buffer.byteLength(text);
    const written = last.then(() => handle.appendFile(text)).catch(throwFileError(path, "written"));
    last = written.catch(() => {});
    return written;
  };
  if (size > 0) {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== NEWLINE) await add(markMasked("\n"));
  }
  return {
    get size() {
      return size;
    },
    add,
    /** Never fails. */
    async close(): Promise<void> {
      await last;
      await handle.close().catch(() => {});
    },
  };
}
