import type { Clock, Random } from "./client/clock.ts";
import type { WaitingStream } from "./config/files/read-file.ts";
import type { ReadableBytes } from "./terminal/input.ts";

/** A timer of Node's fires at once when it is asked for more, and Node 24 warns of one that is asked for less than nothing. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The clock of this machine, for the two places where a program begins: `main` and the library. */
export const clock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): what that belongs to takes 1 ms to load.
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
  // Not node:timers/promises: it makes an error, with its stack, for each sleep that is ended.
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(0, milliseconds), LONGEST_TIMER));
      signal?.addEventListener("abort", wake);
    }),
};

/** What V8 says, and what it is told. */
export const v8 = {
  /** The bytes that the heap may take. The module that knows takes 5 ms to load. */
  heapLimit: (): number => process.getBuiltinModule("node:v8").getHeapStatistics().heap_size_limit,
  /**
   * Keeps the young generation at 2 MB, where it would grow to 32 although nearly nothing survives in it. Collecting more often
   * costs a tenth of the time. Tried on Node 20 alone.
   */
  keepYoungGenerationSmall(): void {
    if (isNode20) setFlag("--semi-space-growth-factor=1");
  },
  /** On Node 20 V8 compiles undici's parser once more while the process waits to end; its baseline compiler does not. */
  compileParserOnce(): void {
    if (isNode20) setFlag("--liftoff-only");
  },
};

const isNode20 = process.versions.node.startsWith("20.");
let hasSetFlags = false;

/** V8 takes what it compiled only where the flags are the same. */
function setFlag(flag: string): void {
  hasSetFlags = true;
  process.getBuiltinModule("node:v8").setFlagsFromString(flag);
}

/** Does something when the process ends, unless it runs with other flags of V8's than it began with. */
export function atPlainExit(act: () => void): void {
  process.once("exit", () => {
    if (!hasSetFlags) act();
  });
}

export const random: Random = {
  // The module takes a fifth of a start of Node to load, and most commands need none of it.
  uuid: () => process.getBuiltinModule("node:crypto").randomUUID(),
  fraction: Math.random,
};

/** Sends a signal to a process and all others of its group; on Windows, which has no groups, to that process. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // All of them have ended.
  }
}

/** What is piped in. Node takes a folder for an empty stream; its descriptor, when it is read, says what is wrong. */
export function standardInput(): ReadableBytes {
  const { createReadStream, fstatSync } = process.getBuiltinModule("node:fs");
  return fstatSync(0).isDirectory() ? createReadStream("", { fd: 0 }) : process.stdin;
}

/**
 * Where questions are asked and answered. A terminal that closes fails both streams at any time, has no mode to set, and may
 * end its input before its signal arrives.
 */
export function promptStreams() {
  const { stdin, stderr } = process;
  for (const stream of [stdin, stderr]) stream.on("error", () => {});
  for (const event of ["end", "error"]) stdin.on(event, () => isTerminal(0) || process.emit("SIGHUP"));
  const setRawMode = stdin.setRawMode?.bind(stdin);
  if (setRawMode) stdin.setRawMode = (isRaw) => (isTerminal(0) ? setRawMode(isRaw) : stdin);
  return { input: stdin, output: stderr };
}

/** A pipe or a terminal as a stream. Node reads files in threads, and does not exit as long as one of them waits. */
export function openWaiting(descriptor: number): WaitingStream | undefined {
  const { fstatSync } = process.getBuiltinModule("node:fs");
  if (isTerminal(descriptor)) return new (process.getBuiltinModule("node:tty").ReadStream)(descriptor);
  if (!fstatSync(descriptor).isFIFO()) return undefined;
  return new (process.getBuiltinModule("node:net").Socket)({ fd: descriptor, readable: true, writable: false });
}

/** Milliseconds that what is left to close may take once the result is out. */
const CLOSING = 300;

/**
 * Ends the process, whatever keeps it alive; usually nothing does, and it ends by itself sooner. Output is waited for until somebody
 * takes it, or until the interrupt.
 */
export function endSoon(interrupt: AbortSignal): void {
  setTimeout(() => {
    const isUntaken = [process.stdout, process.stderr].some(
      ({ writableLength, destroyed }) => writableLength > 0 && !destroyed,
    );
    if (isUntaken && !interrupt.aborted) endSoon(interrupt);
    else process.exit();
  }, CLOSING).unref();
}

/**
 * Closes at the end of the process what was a terminal and is gone: Node would set its mode, fail, and abort with a dump of
 * its memory.
 */
export function closeGoneTerminals(): void {
  process.once("exit", () => {
    const { closeSync, fstatSync } = process.getBuiltinModule("node:fs");
    for (const descriptor of [0, 1, 2]) {
      try {
        // /dev/null is closed, too, which nobody misses.
        if (fstatSync(descriptor).isCharacterDevice() && !isTerminal(descriptor)) closeSync(descriptor);
      } catch {
        // It is closed already.
      }
    }
  });
}

/** Whether a descriptor leads to a terminal. What is certainly none is known without the module that knows terminals. */
export function isTerminal(descriptor: number): boolean {
  try {
    const { fstatSync } = process.getBuiltinModule("node:fs");
    return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false;
  }
}
