import type { Stats } from "node:fs";
import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { type KeptFile, keptSize, readKept, writeKept } from "./kept-file.ts";
import { entriesOf, removeUnused } from "./unused.ts";

/** A Node module with its compile method. Node 20 no longer changes. */
interface CompilingModule {
  exports: unknown;
  _compile(source: string, file: string): unknown;
}

interface Compiler {
  /** The version of Node and the machine: code compiled by one does not run on another. */
  engine: string;
  user: number | undefined;
  pid: number;
  /** Milliseconds since 1970. */
  now: number;
  /** As in `node:zlib`, which need not be loaded for newer versions. */
  crc32(data: string | Uint8Array, before?: number): number;
  atExit(write: () => void): void;
}

/** Bytes below which compiling is faster than reading a second file. */
const WORTH_KEEPING = 30_000;
/** V8 compiles a function on its first call: one in this many runs checks whether more was compiled than was kept. */
const LOOK_EVERY = 16;

/** Matches the files written here, finished or not: `core-Ab12Cd34.js-0f1e2d3c-20.20.2-x64`. */
const KEPT_NAME = /^.+\.js-[0-9a-f]{8}-\d+\.\d+\.\d+-\w+(?:\.\d+)?$/;
const PLACE_DIGITS = 8;

/**
 * Reads the compiled code of large files from a folder, or writes it there when the process ends. V8 refuses code of
 * another version or with other flags, but checks neither the code nor the source beyond its length: a single wrong bit
 * crashes the process. The checksum covers the engine, the source, and the code.
 */
export function keepOnNode20(folder: string, { engine, user, pid, now, crc32, atExit }: Compiler): void {
  const prototype = Module.prototype as unknown as CompilingModule;
  const { _compile: compile } = prototype;
  const checksum = (...parts: (string | Uint8Array)[]) => parts.reduce<number>((sum, part) => crc32(part, sum), 0);
  let hasNew = false;
  // Node warns of more than ten listeners, and the first run of a command may compile more files.
  const atEnd: (() => void)[] = [];
  const whenOver = (act: () => void) => {
    if (atEnd.push(act) > 1) return;
    atExit(() => {
      for (const each of atEnd) attempt(each);
    });
  };
  prototype._compile = function (source, file) {
    if (source.length < WORTH_KEEPING) return compile.call(this, source, file);
    // Another installation has files of the same names.
    const place = checksum(dirname(file)).toString(16).padStart(PLACE_DIGITS, "0");
    const path = join(folder, `${basename(file)}-${place}-${engine}`);
    const kept: KeptFile = { path, user, checksumOf: (code) => checksum(engine, source, code) };
    const code = attempt(() => readKept(kept));
    const script = new Script(Module.wrap(source), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(code && { cachedData: code }),
    });
    const isTaken = script.cachedDataRejected === false;
    if (!isTaken && !hasNew) whenOver(() => removeOld(folder, user, now));
    hasNew ||= !isTaken;
    if (!isTaken || pid % LOOK_EVERY === 0) {
      whenOver(() => {
        const compiled = script.createCachedData();
        // Accepted code stays unless the new code is larger.
        if (!isTaken || keptSize(kept) < compiled.length) writeKept(kept, compiled, pid);
      });
    }
    return script.runInThisContext().call(this.exports, this.exports, createRequire(file), this, file, dirname(file));
  };
}

/** Removes code of earlier builds, versions, and engines that no run uses, and leaves all other files alone. */
function removeOld(folder: string, user: number | undefined, now: number): void {
  const isOwn = ({ uid }: Stats) => user === undefined || uid === user;
  const kept = [...entriesOf(folder)].filter(
    ({ path, facts }) => facts.isFile() && isOwn(facts) && KEPT_NAME.test(basename(path)),
  );
  removeUnused(kept, now);
}

/** Returns undefined on failure: code that cannot be read or written is compiled again. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
