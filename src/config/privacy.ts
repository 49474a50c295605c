import type { Stats } from "node:fs";
import { chmod, readdir, stat } from "node:fs/promises";
import { basename } from "node:path";
import { usageError } from "../errors.ts";

/** Who a private file must belong to, and who hears that it was open to others. */
export interface Owner {
  /** The user's number; nothing on Windows, where files have no modes. */
  user: number | undefined;
  note(text: string): Promise<void>;
}

const ROOT = 0;
const OTHERS = 0o077;
const STICKY = 0o1000;

/** Takes a file away from other users' eyes when they can see it. One that another user could have planted is refused. */
export async function keepFilePrivate(path: string, owner: Owner): Promise<void> {
  const facts = await factsOf(path, owner);
  if (facts?.isFile()) await close(path, facts, 0o600, owner);
}

/** The same for the folder, unless it holds other things too: then it is not ours to close. */
export async function keepFolderPrivate(path: string, owner: Owner): Promise<void> {
  const facts = await factsOf(path, owner);
  if (facts?.isDirectory() && !(facts.mode & STICKY) && (await isOurs(path))) await close(path, facts, 0o700, owner);
}

async function factsOf(path: string, owner: Owner): Promise<Stats | undefined> {
  if (owner.user === undefined) return undefined;
  const facts = await stat(path).catch(() => undefined);
  if (facts && facts.uid !== owner.user && facts.uid !== ROOT) {
    throw usageError([{ where: path, rule: "belongs to another user; RELAYCTL_CONFIG_DIR names another folder" }]);
  }
  return facts;
}

async function isOurs(folder: string): Promise<boolean> {
  if (basename(folder) === "relayctl") return true;
  const names = await readdir(folder).catch(() => ["unknown"]);
  return names.every((name) => /^(?:\.?(?:config|demo)\.json|completion$)/.test(name));
}

async function close(path: string, facts: Stats, mode: number, owner: Owner): Promise<void> {
  if (!(facts.mode & OTHERS)) return;
  const done = await chmod(path, mode).then(
    () => "it is yours alone now",
    () => "and that cannot be changed",
  );
  await owner.note(`${path} was open to other users; ${done}`);
}
