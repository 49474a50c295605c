import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Removes the files of a folder that were last written before a moment, in milliseconds since 1970. What cannot be removed stays. */
export async function removeOlder(folder: string, moment: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) await removeIfOlder(join(folder, name), moment).catch(() => undefined);
}

async function removeIfOlder(path: string, moment: number): Promise<void> {
  const facts = await stat(path);
  if (facts.isFile() && facts.mtimeMs < moment) await unlink(path);
}
