import { promises } from "node:fs";
import { dirname } from "node:path";
import { fileErrorCode } from "./file-error.ts";

/** Creates a private folder and those above it. Under /proc, the recursive `mkdir` of Node never ends. */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  try {
    await makeOne(path);
  } catch (error) {
    const above = dirname(path);
    if (fileErrorCode(error) !== "ENOENT" || above === path) throw error;
    await makeFolder(above);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await promises.mkdir(path, { mode: 0o700 });
    // The umask affects the first mode.
    await promises.chmod(path, 0o700);
  } catch (error) {
    // Another process was faster.
    if (fileErrorCode(error) !== "EEXIST" || !(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await promises.stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
