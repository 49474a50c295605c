import { constants } from "node:fs";
import { dirname } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import type { ExtendedFile } from "./extended-file.ts";
import { fileError } from "./file-error.ts";
import { type ReadingWorld, readFile } from "./read-file.ts";
import { readText } from "./read-text.ts";
import type { Replacement } from "./replace-text.ts";

export interface Files {
  /** At most `maxBytes`; rejects without the content. @param isListed refuses anything but a regular file */
  read(path: string, maxBytes: number, isListed?: boolean): Promise<Uint8Array>;
  /** Returns the names of a folder's files, unordered; none if it can't be read. */
  list(folder: string): Promise<string[]>;
  /** Creates it if needed; rejects with `usage` or `io` if it would exceed `maxBytes`, or can't be written. */
  append(path: string, text: Masked<string>, maxBytes: number): Promise<void>;
  /** The disk has it when this resolves. Rejects with `usage` if the path exists, or `io`. */
  create(path: string, text: Masked<string>): Promise<void>;
  /** Opens a private file for adding lines, and ends a truncated last line. Rejects with `usage` or `io`. */
  extend(path: string): Promise<ExtendedFile>;
  /** Returns a regular file's text to replace, if it exists. Rejects with a `usage` error. */
  load(path: string, maxBytes: number): Promise<string | undefined>;
  /** Returns a path without links, if it exists. */
  real(path: string): Promise<string | undefined>;
  /** Rejects with a `usage` error if a path's folder can't contain a new file. */
  expectFolder(path: string): Promise<void>;
  /** Replaces a file as a whole; see `replaceText`. */
  replace(path: string, replacement: Replacement): Promise<void>;
}

export function createFiles(options: ReadingWorld): Files {
  return {
    read: (path, maxBytes, isListed) => readFile(path, maxBytes, options, isListed),
    list: async (folder) => {
      const { readdir } = await import("node:fs/promises");
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    },
    extend: async (path) => (await import("./extended-file.ts")).openExtended(path),
    append: async (path, text, maxBytes) => {
      try {
        await appended(path, text, maxBytes);
      } catch (error) {
        throw fileError(path, "written", error);
      }
    },
    create: async (path, text) => await (await import("./create-file.ts")).createFile(path, text),
    load: (path, maxBytes) => readText(path, maxBytes),
    real: async (path) => {
      const { realpath } = await import("node:fs/promises");
      return await realpath(path).catch(() => undefined);
    },
    expectFolder: async (path) => {
      const { access } = await import("node:fs/promises");
      const folder = dirname(path);
      try {
        await access(folder, constants.W_OK);
      } catch (error) {
        throw fileError(folder, "written", error);
      }
    },
    replace: async (path, replacement) => await (await import("./replace-text.ts")).replaceText(path, replacement),
  };
}

async function appended(path: string, text: Masked<string>, maxBytes: number): Promise<void> {
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
