import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { usageError } from "../errors.ts";
import { codeOf, fileError } from "./file-error.ts";

/**
 * A file as text, or nothing when there is none. What is no plain file is refused, and a pipe is never waited for.
 * @throws RelayctlError naming the path and nothing of the content
 */
export async function readText(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const file = await opened(path);
    return file && (await wholeText(path, file, maxBytes));
  } catch (error) {
    throw fileError(path, "read", error);
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    if (await isLink(path)) throw usageError([{ where: path, rule: "is a link to a file that is not there" }]);
    return undefined;
  }
}

async function isLink(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

async function wholeText(path: string, file: FileHandle, maxBytes: number): Promise<string> {
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw usageError([{ where: path, rule: "is no plain file" }]);
    if (facts.size > maxBytes) throw usageError([{ where: path, rule: `is larger than ${maxBytes} bytes` }]);
    return decoded(path, await file.readFile());
  } finally {
    await file.close();
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError([{ where: path, rule: "is not UTF-8 text" }]);
  }
}
