import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { type KeptFile, keptSize, readKept, writeKept } from "./kept-file.ts";

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
  /** Returns the SHA-256 of several consecutive parts. */
  digest(...parts: (string | Uint8Array)[]): Uint8Array;
  atExit(write: () => void): void;
}

/** Bytes below which compiling is faster than reading a second file. */
const WORTH_KEEPING = 50_000;
/** V8 compiles a function on its first call: one in this many runs checks whether more was compiled than was kept. */
const LOOK_EVERY = 16;

/**
 * Reads the compiled code of large files from a folder, or writes it there when the process ends. V8 refuses code of
 * another version or with other flags, but checks neither the code nor the source beyond its length: a single wrong bit
 * crashes the process. The digest covers the engine, the source, and the code.
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
          // Accepted code stays unless the new code is larger.
          if (!isTaken || keptSize(kept) < compiled.length) writeKept(kept, compiled, pid);
        }),
      );
    }
    return script.runInThisContext().call(this.exports, this.exports, createRequire(file), this, file, dirname(file));
  };
}

/** Returns undefined on failure: code that cannot be read or written is compiled again. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
