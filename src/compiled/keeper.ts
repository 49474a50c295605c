import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { elseOnError } from "../errors.ts";

const [ROOT, OTHERS, OTHERS_WRITE, STICKY] = [0, 0o077, 0o022, 0o1000];

/**
 * Returns the path of a folder that only the user can write to, since its content is run; creates it if there is none.
 * Returns undefined and creates nothing if another user could replace the folder, or if it belongs to another user, is
 * open to others, or is a link.
 * @param parent absolute; its links are followed
 * @param user the user's ID; absent on Windows, where the location of temporary files makes them private
 */
export function ownCompiledFolder(parent: string, name: string, user: number | undefined): string | undefined {
  if (!isAbsolute(parent)) return undefined;
  const above = realpathSync(parent);
  if (user !== undefined && !isHeld(above, user)) return undefined;
  const folder = join(above, name);
  const facts = factsAt(folder) ?? createFolder(folder);
  return facts?.isDirectory() && isClosed(facts, user) ? folder : undefined;
}

function isClosed({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && !(mode & OTHERS));
}

/** Returns whether only the user or root can move an entry of a folder. */
function isHeld(path: string, user: number): boolean {
  const facts = factsAt(path);
  if (!facts || ![user, ROOT].includes(facts.uid)) return false;
  if (facts.mode & OTHERS_WRITE && !(facts.mode & STICKY)) return false;
  return path === dirname(path) || isHeld(dirname(path), user);
}

/** Creates the folder. Another process or user may create it at the same time: the returned facts decide. */
function createFolder(folder: string): Stats | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return factsAt(folder);
}

function factsAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

interface KeptFile {
  path: string;
  /** Absent on Windows. */
  user: number | undefined;
  /** Returns the checksum of the source, the compiler, and the code, in 32 bits. */
  checksumOf(code: Uint8Array): number;
}

/** Bytes of the checksum, which come before the code: V8 copies code that is not aligned. */
const CHECKSUM = 8;
/** Ten times the size of the largest kept file. */
const MAX_BYTES = 16 * 2 ** 20;
/** Flags that refuse a link, and open a pipe without waiting for a writer. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Returns the code if the file is regular, private, of a reasonable size, and unchanged since written. */
function readKept({ path, user, checksumOf }: KeptFile): Uint8Array | undefined {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    const isUsable = facts.isFile() && facts.nlink === 1 && isClosed(facts, user);
    if (!isUsable || facts.size <= CHECKSUM || facts.size > MAX_BYTES) return undefined;
    const content = Buffer.allocUnsafeSlow(facts.size);
    if (readSync(file, content) !== facts.size) return undefined;
    const code = content.subarray(CHECKSUM);
    return content.readBigUInt64LE() === BigInt(checksumOf(code)) ? code : undefined;
  } finally {
    closeSync(file);
  }
}

/** Replaces the file completely or not at all: on a full disk, each run would leave one. */
function writeKept({ path, checksumOf }: KeptFile, code: Uint8Array, pid: number): void {
  const unfinished = `${path}.${pid}`;
  rmSync(unfinished, { force: true });
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeBigUInt64LE(BigInt(checksumOf(code)));
  try {
    writeNew(unfinished, [checksum, code]);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function writeNew(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (const part of parts) {
      for (let rest = part; rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
    }
  } finally {
    closeSync(file);
  }
}

export interface RunningNode {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** Absent on Windows. */
  user: number | undefined;
  pid: number;
  /** Milliseconds since 1970. */
  now: number;
  /** Node's version and the machine: compiled code only runs on the same. */
  engine: string;
  /** The path of Node and the options that were typed: other builds of a version, and other options, make other code. */
  started: readonly string[];
  crc32(data: string | Uint8Array, before?: number): number;
  /** Calls `write` when the process ends, or before its V8 flags change. */
  atExit(write: () => void): void;
}

/** Keeps the code that V8 compiled, for the next run. */
export interface Keeper {
  /** Compiles a file with the code of an earlier run, if there is any. */
  compile<File extends { cachedDataRejected?: boolean | undefined; createCachedData(): Buffer }>(
    file: { filename: string; source: Uint8Array },
    compile: (code?: Uint8Array) => File,
  ): File;
}

/** Bytes below which compiling is faster than finding the folder and reading a second file, and than reading it. */
const [WORTH_FINDING, WORTH_KEEPING] = [30_000, 8_000];
/** V8 compiles a function on its first call: a run that keeps a file, and one in this many, checks all for newly compiled code. */
const LOOK_EVERY = 64;

/** Matches the files written here, finished or not: `core-Ab12Cd34.js-0f1e2d3c-20.20.2-x64`. */
const KEPT_NAME = /^.+\.js-[0-9a-f]{8}-\d+\.\d+\.\d+-\w+(?:\.\d+)?$/;
const PLACE_DIGITS = 8;

/**
 * Keeps the compiled code of large files among the temporary files, so that the home folder stays untouched (promises 6).
 * V8 refuses code of another version or with other flags, but a single wrong bit crashes the process, so a checksum
 * covers the engine, the source, and the code.
 * @returns undefined if a user wants nothing to be kept
 */
export function createKeeper(running: RunningNode): Keeper | undefined {
  const { env, user, pid, now, engine, started, crc32, atExit } = running;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  let found: { folder: string | undefined } | undefined;
  const findFolder = () => {
    found ??= { folder: elseOnError(() => compiledFolder(running)) };
    return found.folder;
  };
  const checksum = (...parts: (string | Uint8Array)[]) => parts.reduce<number>((sum, part) => crc32(part, sum), 0);
  // Node warns of more than ten listeners, and the first run of a command may compile more files.
  const writes: (() => void)[] = [];
  let isLooking = false;
  const writeAtEnd = (folder: string) => {
    if (isLooking) return;
    isLooking = true;
    atExit(() => {
      for (const each of writes) elseOnError(each);
      elseOnError(() => removeOld(folder, user, now));
    });
  };

  const compile: Keeper["compile"] = ({ filename, source }, compileWith) => {
    const folder = source.length < (found ? WORTH_KEEPING : WORTH_FINDING) ? undefined : findFolder();
    if (folder === undefined) return compileWith();
    // Another installation has files of the same names.
    const installed = dirname(filename);
    const place = checksum([installed, ...started].join("\n"))
      .toString(16)
      .padStart(PLACE_DIGITS, "0");
    const path = join(folder, `${filename.slice(installed.length + 1)}-${place}-${engine}`);
    const kept: KeptFile = { path, user, checksumOf: (code) => checksum(engine, source, code) };
    const script = compileWith(elseOnError(() => readKept(kept)));
    const isTaken = script.cachedDataRejected === false;
    writes.push(() => {
      const code = script.createCachedData();
      // Accepted code stays unless the new code is larger.
      if (!isTaken || lstatSync(kept.path).size - CHECKSUM < code.length) writeKept(kept, code, pid);
    });
    if (!isTaken || pid % LOOK_EVERY === 0) writeAtEnd(folder);
    return script;
  };
  return { compile };
}

/** Returns a folder among the temporary files: the same as `os.tmpdir`, whose module would have to be loaded. */
function compiledFolder({ env, platform, user }: RunningNode): string | undefined {
  const parent = platform === "win32" ? (env.TEMP ?? env.TMP ?? "") : env.TMPDIR || "/tmp";
  return ownCompiledFolder(parent, `relayctl-compiled-${user ?? "user"}`, user);
}

/** Removes only code of earlier builds, versions, and engines that no run uses. */
function removeOld(folder: string, user: number | undefined, now: number): void {
  const isOwn = ({ uid }: Stats) => user === undefined || uid === user;
  const kept = [...entriesIn(folder)].filter(
    ({ path, facts }) => facts.isFile() && isOwn(facts) && KEPT_NAME.test(basename(path)),
  );
  removeUnused(kept, now);
}

interface KeptEntry {
  path: string;
  /** Facts about the entry itself if it is a link. */
  facts: Stats;
}

/** How long a file may be unused: two weeks, in milliseconds. */
const LONGEST_UNUSED = 14 * 24 * 3_600_000;
/** Several times the files of one version. */
const MOST_BYTES = 32 * 2 ** 20;

/** Yields a folder's entries at the time of each request. */
function* entriesIn(folder: string): Generator<KeptEntry> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts) yield { path, facts };
  }
}

/** Removes the files that no run used for two weeks, and then the least recently used above a limit of bytes. */
function removeUnused(files: readonly KeptEntry[], now: number): void {
  let bytes = 0;
  for (const { path, facts } of [...files].sort((one, other) => lastUse(other.facts) - lastUse(one.facts))) {
    bytes += facts.size;
    if (bytes > MOST_BYTES || now - lastUse(facts) > LONGEST_UNUSED) rmSync(path, { force: true });
  }
}

/** Returns the time of the last use, which most systems update at least once a day. */
function lastUse({ atimeMs, mtimeMs }: Stats): number {
  return Math.max(atimeMs, mtimeMs);
}
