import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { type KeptFile, keptSize, readKept, writeKept } from "./kept-file.ts";

/** A module of Node's, with the method that compiles it. Node 20 does not change any more. */
interface CompilingModule {
  exports: unknown;
  _compile(source: string, file: string): unknown;
}

interface Compiler {
  /** The version of Node and the machine: what one compiles, another does not run. */
  engine: string;
  user: number | undefined;
  pid: number;
  /** The SHA-256 of several parts, one after the other. */
  digest(...parts: (string | Uint8Array)[]): Uint8Array;
  atExit(write: () => void): void;
}

/** Smaller files are compiled sooner than a second file is read. */
const WORTH_KEEPING = 50_000;
/** V8 compiles a function when it is first called: of so many runs one looks whether it has more than was kept. */
const LOOK_EVERY = 16;

/**
 * Has what V8 compiled of large files read from a folder, or else written to it when the process ends. V8 refuses code of another
 * version, or one compiled with other flags, but checks neither the code nor the source beyond its length: a single wrong bit ends
 * the process. The digest is over the engine, the source and the code.
 */
export function keepOnNode20(folder: string, { engine, user, pid, digest, atExit }: Compiler): void {
  const prototype = Module.prototype as unknown as CompilingModule;
  const { _compile: compile } = prototype;
  prototype._compile = function (source, file) {
    if (source.length < WORTH_KEEPING) return compile.call(this, source, file);
    const path = join(folder, `${basename(file)}-${engine}`);
    const kept: KeptFile = { path, user, digestOf: (code) => digest(engine, source, code) };
    const code = attempt(() => readKept(kept));
    const script = new Script(Module.wrap(source), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(code && { cachedData: code }),
    });
    const isTaken = script.cachedDataRejected === false;
    if (!isTaken || pid % LOOK_EVERY === 0) {
      atExit(() =>
        attempt(() => {
          const compiled = script.createCachedData();
          // What was taken stays unless it is less.
          if (!isTaken || keptSize(kept) < compiled.length) writeKept(kept, compiled, pid);
        }),
      );
    }
    return script.runInThisContext().call(this.exports, this.exports, createRequire(file), this, file, dirname(file));
  };
}

/** What cannot be read, or cannot be written, is compiled again. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
