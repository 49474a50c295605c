import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename } from "node:path";
import { elseOnError, usageError } from "../../errors.ts";

export interface Owner {
  /** Undefined on Windows, where files have no modes. */
  user: number | undefined;
  /** The variable that moves the files elsewhere. */
  variable?: string;
  note(text: string): Promise<void>;
}

const ROOT = 0;
const OTHERS = 0o077;
const STICKY = 0o1000;

/** Refuses a file that another user could have planted. @param read throws if it is another program's */
export async function keepFilePrivate(path: string, owner: Owner, read?: () => Promise<object>): Promise<void> {
  const facts = readFacts(path, owner);
  if (!facts?.isFile() || !(facts.mode & OTHERS)) return;
  // What may be a link is only closed if it is ours.
  const isLink = elseOnError(() => lstatSync(path).isSymbolicLink(), true);
  if (isLink && !(await read?.())) return;
  await closeAccess(path, 0o600, owner);
}

/** Makes the folder private too, unless it has others' files. @param ours matches the names of our files */
export async function keepFolderPrivate(path: string, owner: Owner, ours: RegExp): Promise<void> {
  const facts = readFacts(path, owner);
  if (!facts?.isDirectory() || !(facts.mode & OTHERS) || facts.mode & STICKY) return;
  if (elseOnError(() => isOurs(path, ours))) await closeAccess(path, 0o700, owner);
}

const OTHERS_READ = 0o044;
const OTHERS_WRITE = 0o022;

/** Names in a folder aren't secret, and `/tmp` protects other users' files. @param user undefined on Windows */
export function accessOfOthers(path: string, user: number | undefined): "read" | "change" | undefined {
  const facts = user === undefined ? undefined : elseOnError(() => statSync(path));
  if (!facts || facts.uid !== user || (facts.isDirectory() && facts.mode & STICKY)) return undefined;
  // A device like /dev/null must stay as it is.
  if (!facts.isFile() && !facts.isDirectory()) return undefined;
  if (facts.mode & OTHERS_WRITE) return "change";
  return facts.isFile() && facts.mode & OTHERS_READ ? "read" : undefined;
}

/** Returns whether anyone but this user and root may have written a file. */
export function isFileOfOthers({ uid, mode }: Stats, user: number): boolean {
  return (uid !== user && uid !== ROOT) || (mode & OTHERS_WRITE) !== 0;
}

/** Returns the facts of a file; reading it reports a failure. */
function readFacts(path: string, owner: Owner): Stats | undefined {
  if (owner.user === undefined) return undefined;
  const facts = elseOnError(() => statSync(path));
  if (facts && facts.uid !== owner.user && facts.uid !== ROOT) {
    const { variable = "RELAYCTL_CONFIG_DIR" } = owner;
    throw usageError([{ where: path, rule: `belongs to another user; set ${variable} to use another folder` }]);
  }
  return facts;
}

function isOurs(folder: string, ours: RegExp): boolean {
  return basename(realpathSync(folder)) === "relayctl" || readdirSync(folder).every((name) => ours.test(name));
}

async function closeAccess(path: string, mode: number, owner: Owner): Promise<void> {
  let result = "only you can read it now";
  try {
    chmodSync(path, mode);
  } catch {
    result = "it still is: its mode cannot be changed";
  }
  await owner.note(`${path} was open to other users; ${result}`);
}
