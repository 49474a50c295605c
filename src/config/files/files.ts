import { constants } from "node:fs";
import { dirname } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import { createFile } from "./create-file.ts";
import { openExtended } from "./extended-file.ts";
import { fileError, fileErrorCode, throwFileError } from "./file-error.ts";
import { type FileWorld, readFile } from "./read-file.ts";
import { readText } from "./read-text.ts";
import type { TextReplacement } from "./replace-text.ts";

export type Files = ReturnType<typeof createFiles>;

export function createFiles(options: FileWorld) {
  return {
    /**
     * Reads the whole file, at most `maxBytes`. Rejects with a `usage` error with the path and never the content.
     * @param isListed whether a folder was listed to find it: anything but a regular file is then refused
     */
    read: (path: string, maxBytes: number, isListed?: boolean) => readFile(path, maxBytes, options, isListed),
    async list(folder: string): Promise<string[]> {
      const { readdir } = await import("node:fs/promises");
      const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
        if (["ENOENT", "ENOTDIR"].includes(fileErrorCode(error) ?? "")) return [];
        throw fileError(folder, "read", error);
      });
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    },
    /** Opens a private file for adding lines, and ends a truncated last line. Rejects with `usage` or `io`. */
    extend: async (path: string) => openExtended(path),
    /**
     * Appends a text to a file, which is created if needed, unless it would exceed `maxBytes`. Rejects with a `usage` or
     * `io` error that contains the path.
     */
    append: (path: string, text: Masked<string>, maxBytes: number): Promise<void> =>
      appendMasked(path, text, maxBytes).catch(throwFileError(path, "written")),
    /** Creates a private file, which the disk has when this resolves. Rejects with `usage` if the path exists, or `io`. */
    create: async (path: string, text: Masked<string>) => await createFile(path, text),
    /** Returns a regular file's text to replace, if it exists. Rejects with a `usage` error. */
    load: (path: string, maxBytes: number) => readText(path, maxBytes),
    /** Returns a path without links, if it exists. */
    async real(path: string): Promise<string | undefined> {
      const { realpath } = await import("node:fs/promises");
      return await realpath(path).catch(() => undefined);
    },
    /** Rejects with a `usage` error if a path's folder can't contain a new file. */
    async expectFolder(path: string): Promise<void> {
      const { access } = await import("node:fs/promises");
      const folder = dirname(path);
      await access(folder, constants.W_OK).catch(throwFileError(folder, "written"));
    },
    /** Replaces a file as a whole; see `replaceText`. */
    replace: async (path: string, replacement: TextReplacement) =>
      await (await import("./replace-text.ts")).replaceText(path, replacement),
  };
}

async function appendMasked(path: string, text: Masked<string>, maxBytes: number): Promise<void> {
  const { open } = await import("node:fs/promises");
  // Do not wait for a pipe without a reader.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags, 0o600);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new RelayctlError("usage", `${path}: cannot be written: it is not a regular file`);
    if (stat.size + Buffer.byteLength(text) > maxBytes) throw new RelayctlError("io", `${path}: is full`);
    await handle.appendFile(text);
  } finally {
    await handle.close();
  }
}
