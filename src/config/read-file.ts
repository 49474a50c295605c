import { promises } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { usageError } from "../errors.ts";
import { fileError } from "./file-error.ts";

/**
 * The bytes of a file that the user named; a pipe such as `<(…)` is read to its end.
 * @throws RelayctlError usage, naming the path and nothing of the content
 */
export async function readFile(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const file = await promises.open(path);
    try {
      return await readUpTo(file, path, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(path, "read", error);
  }
}

const CHUNK = 65_536;

async function readUpTo(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK));
    if (bytesRead === 0) return Buffer.concat(chunks);
    size += bytesRead;
    if (size > maxBytes) throw usageError([{ where: path, rule: `is larger than ${maxBytes} bytes` }]);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}
