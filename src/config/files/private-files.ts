import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { createFile } from "./create-file.ts";
import { fileError } from "./file-error.ts";

/** Writes texts to files that only this user can read, for a program that takes their paths, and removes them. */
export async function withPrivateFiles<T>(
  texts: readonly Masked<string>[],
  use: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "relayctl-")).catch((error: unknown) => {
    throw fileError(tmpdir(), "written", error);
  });
  try {
    const paths = texts.map((_, index) => join(folder, String(index)));
    for (const [index, text] of texts.entries()) await createFile(paths[index] ?? folder, text);
    return await use(paths);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
