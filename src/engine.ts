import { isExecutable } from "./installation.ts";

/** Returns the heap limit in bytes, by default a quarter of the process's memory; Bun has none. */
export function heapLimit(): number {
  if (!isExecutable) return process.getBuiltinModule("node:v8").getHeapStatistics().heap_size_limit;
  return Math.min(process.getBuiltinModule("node:os").totalmem(), process.constrainedMemory() || Infinity) / 4;
}

export type EngineFlags = ReturnType<typeof createEngineFlags>;

/** The most bytes of such buffers: the largest response that is not a list. */
const FREED_AFTER = 8 * 2 ** 20;

export function createEngineFlags() {
  const isNode20 = process.versions.node.startsWith("20.");
  const acts: (() => void)[] = [];
  let areSet = false;
  let unused = 0;
  const actOnce = () => {
    for (const act of acts.splice(0)) act();
  };
  const set = (flag: string) => {
    actOnce();
    areSet = true;
    process.getBuiltinModule("node:v8").setFlagsFromString(flag);
  };
  return {
    /**
     * Keeps the young generation at 2 MB, and collects the old one once it has grown by half. V8 would let them grow to 32
     * MB and fourfold, although few objects survive. This costs a tenth of the time. Tried on Node 20 only.
     */
    keepHeapSmall() {
      if (isNode20) for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=50"]) set(flag);
    },
    /** Avoids compiling undici's parser again on Node 20 at the end, by disabling the baseline compiler. */
    compileParserOnce: () => void (isNode20 && set("--liftoff-only")),
    /** Called with the number of bytes copied out of buffers, which JavaScriptCore would free late. */
    copied(bytes: number) {
      unused += bytes;
      if (!isExecutable || unused < FREED_AFTER) return;
      unused = 0;
      const { Bun } = globalThis as unknown as { Bun: { gc(now: boolean): void } };
      Bun.gc(true);
    },
    /** Runs `act` at the end, or before V8's flags change: V8 accepts cached code only under the same flags. */
    atPlainExit(act: () => void) {
      if (areSet) return;
      if (acts.push(act) === 1) process.once("exit", actOnce);
    },
  };
}
