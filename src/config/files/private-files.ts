import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { createFile } from "./create-file.ts";
import { throwFileError } from "./file-error.ts";

export async function withPrivateFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "relayctl-")).catch(throwFileError(tmpdir(), "written"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

export async function withPrivateFiles<T>(
  texts: readonly Masked<string>[],
  use: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  return await withPrivateFolder(async (folder) => {
    const paths = texts.map((_, index) => join(folder, String(index)));
    for (const [index, text] of texts.entries()) await createFile(paths[index] ?? folder, text);
    return await use(paths);
  });
}
