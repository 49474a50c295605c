import { promises } from "node:fs";
import { join } from "node:path";

/** Removes the files of a folder last written before a time. Files that cannot be removed stay. */
export async function removeOlder(folder: string, moment: number): Promise<void> {
  const names = await promises.readdir(folder).catch(() => []);
  for (const name of names) await removeIfOlder(join(folder, name), moment).catch(() => undefined);
}

async function removeIfOlder(path: string, moment: number): Promise<void> {
  const facts = await promises.stat(path);
  if (facts.isFile() && facts.mtimeMs < moment) await promises.unlink(path);
}

export interface FolderBounds {
  lifetime: number;
  most: number;
  /** The age below which a file is never removed. */
  grace: number;
}

/** Removes a folder's oldest files with an ending, as far as possible. */
export async function boundFolder(
  folder: string,
  ending: string,
  now: number,
  { lifetime, most, grace }: FolderBounds,
): Promise<void> {
  const names = (await promises.readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
  const found = await Promise.all(names.map((name) => readAge(join(folder, name), now)));
  const files = found.filter((file) => file !== undefined).sort((one, other) => one.age - other.age);
  for (const [index, { path, age }] of files.entries()) {
    if (age > lifetime || (index >= most && age > grace)) await promises.unlink(path).catch(() => undefined);
  }
}

async function readAge(path: string, now: number): Promise<{ path: string; age: number } | undefined> {
  const facts = await promises.lstat(path).catch(() => undefined);
  return facts?.isFile() ? { path, age: now - facts.mtimeMs } : undefined;
}
