import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";

/** A module of Node's, with the method that compiles it. Node 20 does not change any more. */
interface CompilingModule {
  exports: unknown;
  _compile(source: string, file: string): unknown;
}

interface Compiler {
  node: string;
  pid: number;
  atExit(write: () => void): void;
}

/** Smaller files are compiled sooner than a second file is read. */
const WORTH_KEEPING = 50_000;
/** V8 compiles a function when it is first called: of so many runs one looks whether it has more than was kept. */
const LOOK_EVERY = 16;

/**
 * Has what V8 compiled of large files read from a folder, or else written to it when the process ends. The name of a file of the
 * program has a digest of its content in it, so that what is kept is of that content; V8 refuses what another V8 compiled, or the
 * same one with other flags.
 */
export function keepOnNode20(folder: string, { node, pid, atExit }: Compiler): void {
  const prototype = Module.prototype as unknown as CompilingModule;
  const { _compile: compile } = prototype;
  prototype._compile = function (source, file) {
    if (source.length < WORTH_KEEPING) return compile.call(this, source, file);
    const path = join(folder, `${basename(file)}-${node}`);
    const kept = readKept(path);
    const script = new Script(Module.wrap(source), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(kept && { cachedData: kept }),
    });
    const isTaken = script.cachedDataRejected === false;
    if (!isTaken || pid % LOOK_EVERY === 0) {
      atExit(() =>
        attempt(() => writeKept({ path, unfinished: `${path}.${pid}`, isTaken }, script.createCachedData())),
      );
    }
    return script.runInThisContext().call(this.exports, this.exports, createRequire(file), this, file, dirname(file));
  };
}

/** It is there twice: whether both halves are alike is known sooner than any digest, and V8 looks at no more than its head. */
function readKept(path: string): Buffer | undefined {
  return attempt(() => {
    const both = readFileSync(path);
    const kept = both.subarray(0, both.length / 2);
    return kept.equals(both.subarray(kept.length)) ? kept : undefined;
  });
}

interface Place {
  path: string;
  unfinished: string;
  /** Whether what is there could be taken. It stays then, unless it is less. */
  isTaken: boolean;
}

function writeKept({ path, unfinished, isTaken }: Place, compiled: Buffer): void {
  if (isTaken && statSync(path).size >= 2 * compiled.length) return;
  writeFileSync(unfinished, Buffer.concat([compiled, compiled]), { mode: 0o600 });
  renameSync(unfinished, path);
}

/** What cannot be read, or cannot be written, is compiled anew. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
