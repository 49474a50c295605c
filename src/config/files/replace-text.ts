import { promises } from "node:fs";
import type { Masked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import { fileError, fileErrorCode } from "./file-error.ts";
import { readText } from "./read-text.ts";
import { openStaging, ReplacedMeanwhile } from "./staging.ts";

export interface TextReplacement {
  /** Undefined for a file that does not exist. */
  before: string | undefined;
  after: Masked<string>;
  maxBytes: number;
  /** A text that no other process uses. */
  unique: string;
}

/** A new file may get secrets later. */
const NEW_FILE = 0o600;

/** Keeps its mode, and a link to it. After a kill, it is the old text or the new. @throws RelayctlError conflict */
export async function replaceText(path: string, replacement: TextReplacement): Promise<void> {
  try {
    await replaceLocked(path, replacement);
  } catch (error) {
    throw error instanceof ReplacedMeanwhile ? changedError(path) : fileError(path, "written", error);
  }
}

async function replaceLocked(path: string, { before, after, maxBytes, unique }: TextReplacement): Promise<void> {
  const target = await promises.realpath(path).catch((error: unknown) => {
    if (fileErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  const mode = target === undefined ? NEW_FILE : (await promises.stat(target)).mode & 0o777;
  const staging = await openStaging(target ?? path, unique);
  try {
    const confirm = async () => {
      if ((await readText(path, maxBytes)) !== before) throw changedError(path);
    };
    const write = (file: string, text: string) => promises.writeFile(file, text, { flag: "wx", mode: NEW_FILE });
    await staging.commit(after, write, { mode, confirm });
  } finally {
    await staging.remove().catch(() => undefined);
  }
}

function changedError(path: string): RelayctlError {
  return new RelayctlError("conflict", `${path}: changed since it was read; it was left as it is`);
}
