import { promises } from "node:fs";
import { join } from "node:path";

/** Removes the files of a folder last written before a time. Files that cannot be removed stay. */
export async function removeOlderFiles(folder: string, moment: number): Promise<void> {
  const names = await promises.readdir(folder).catch(() => []);
  for (const name of names) await removeIfOlder(join(folder, name), moment).catch(() => undefined);
}

async function removeIfOlder(path: string, moment: number): Promise<void> {
  const facts = await promises.stat(path);
  if (facts.isFile() && facts.mtimeMs < moment) await promises.unlink(path);
}
