import { rmdirSync, rmSync, type Stats } from "node:fs";
import { Module } from "node:module";
import { keepOnNode20 } from "./node-20.ts";
import { ownFolder } from "./own-folder.ts";
import { entriesOf, isUnused, type KeptEntry, removeUnused } from "./unused.ts";

/** Facts about the process. */
export interface Running {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** The user's ID; undefined on Windows. */
  user: number | undefined;
  /** The process ID. */
  pid: number;
  /** Milliseconds since 1970. */
  now: number;
  /** The version of Node and the machine. */
  engine: string;
  /** Whether V8 flags were typed. */
  hasFlags: boolean;
  /** Called when the process ends, unless V8 flags were set meanwhile. */
  atExit(write: () => void): void;
}

/** Exists in Node 22.1 and later. */
const { enableCompileCache } = Module as { enableCompileCache?(folder: string): unknown };

/**
 * Lets the next run start with the code that V8 compiled in this one, which makes a short command a fifth faster. Newer
 * Node versions have a cache; Node 20 does not. The code is kept among the temporary files, so that nothing is written
 * to the home folder (promises 6). If nothing can be kept, everything is compiled as usual.
 */
export async function keepCompiled(running: Running): Promise<void> {
  const { env, user, now, hasFlags } = running;
  if (env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const folder = ownFolder(temporaryFolder(running), `relayctl-compiled-${user ?? "user"}`, user);
    if (folder === undefined) return;
    if (!enableCompileCache) return hasFlags ? undefined : await keepByChecksum(folder, running);
    const kept = nodeFolder(folder, user, now);
    if (kept !== undefined) enableCompileCache(kept);
  } catch {
    // A failure to keep code must not affect the command.
  }
}

/** Newer versions of Node verify what they keep with the same checksum, which loads in a quarter of the time of SHA-256. */
async function keepByChecksum(folder: string, running: Running): Promise<void> {
  const { crc32 } = await import("node:zlib");
  keepOnNode20(folder, { ...running, crc32 });
}

/** Returns the same folder as `os.tmpdir`, whose module would have to be loaded. */
function temporaryFolder({ env, platform }: Running): string {
  return platform === "win32" ? (env.TEMP ?? env.TMP ?? "") : env.TMPDIR || "/tmp";
}

const MAX_BYTES = 16 * 2 ** 20;

/**
 * Returns the folder for Node's own compile cache, with only files that Node may read. Node verifies each file by
 * checksums of source and code, but follows links, waits for pipes, reads files of any size, and removes none. The
 * folder itself is private.
 */
export function nodeFolder(parent: string, user: number | undefined, now: number): string | undefined {
  const folder = ownFolder(parent, "node", user);
  if (folder === undefined) return undefined;
  const isOwn = ({ uid }: Stats) => user === undefined || uid === user;
  // One folder for each version of Node, with its files.
  const versions = readable(folder, (facts) => facts.isDirectory() && isOwn(facts));
  const files = versions.flatMap(({ path, facts }) => {
    const kept = readable(path, (of) => of.isFile() && of.nlink === 1 && of.size <= MAX_BYTES && isOwn(of));
    if (kept.length === 0 && isUnused(facts, now)) rmdirSync(path);
    return kept;
  });
  removeUnused(files, now);
  return folder;
}

/** Returns the entries of a folder that Node may read, and removes everything else. */
function readable(folder: string, mayRead: (facts: Stats) => boolean): KeptEntry[] {
  const kept: KeptEntry[] = [];
  for (const entry of entriesOf(folder)) {
    if (mayRead(entry.facts)) kept.push(entry);
    else rmSync(entry.path, { recursive: true, force: true });
  }
  return kept;
}
