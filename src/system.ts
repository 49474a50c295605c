import type { Clock, KeySource, Random } from "./client/clock.ts";
import type { WaitingStream } from "./config/files/read-file.ts";
import { isExecutable } from "./installation.ts";
import { isTerminal } from "./is-terminal.ts";
import type { ReadableBytes } from "./terminal/streams/input.ts";
import { EXIT_GRACE, LONGEST_TIMER } from "./timing.ts";

/** This machine's clock, for the two entry points: `main` and the library. */
export const clock: Clock = {
  now: () => Date.now(),
  // performance.now() takes 1 ms to load.
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
  // node:timers/promises creates an error with its stack for each sleep that ends early.
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      if (milliseconds === 0) return void setImmediate(resolve);
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(0, milliseconds), LONGEST_TIMER));
      signal?.addEventListener("abort", wake);
    }),
};

const KEY_BYTES = 32;

export const random: Random & KeySource = {
  // Loading the module takes a fifth of Node's startup time, and most commands never need it.
  uuid: () => process.getBuiltinModule("node:crypto").randomUUID(),
  fraction: Math.random,
  key: () => process.getBuiltinModule("node:crypto").randomBytes(KEY_BYTES).toString("hex"),
};

/** Sends a signal to a process and its group; on Windows, which has no groups, to the process. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // Every process has ended.
  }
}

/** Returns stdin. Node treats a directory as empty; reading its descriptor reports the error. */
export function standardInput(): ReadableBytes {
  const { createReadStream, fstatSync } = process.getBuiltinModule("node:fs");
  return fstatSync(0).isDirectory() ? createReadStream("", { fd: 0 }) : process.stdin;
}

/** Returns the streams for prompts. A closing terminal can make both fail, has no mode, and may end its input early. */
export function promptStreams() {
  const { stdin, stderr } = process;
  stderr.on("error", () => {});
  endProcessAtError(stdin);
  stdin.on("end", () => isTerminal(0) || process.emit("SIGHUP"));
  const setRawMode = stdin.setRawMode?.bind(stdin);
  if (setRawMode) stdin.setRawMode = (isRaw) => (isTerminal(0) ? setRawMode(isRaw) : stdin);
  return { input: stdin, output: stderr };
}

/** Makes an error of an input its end: readline, under every prompt, throws an error of its input at the whole process. */
export function endProcessAtError(input: NodeJS.ReadableStream): void {
  const emit = input.emit.bind(input);
  input.emit = (event, ...values) => (event === "error" ? emit("end") : emit(event, ...values));
}

/** Opens a pipe or a terminal as a stream. Node reads files in threads, and does not exit while one waits. */
export function openWaiting(descriptor: number): WaitingStream | undefined {
  const { fstatSync } = process.getBuiltinModule("node:fs");
  const isPipe = fstatSync(descriptor).isFIFO();
  if (!isPipe && !isTerminal(descriptor)) return undefined;
  if (isExecutable) return openWithBun(descriptor);
  if (!isPipe) return new (process.getBuiltinModule("node:tty").ReadStream)(descriptor);
  return new (process.getBuiltinModule("node:net").Socket)({ fd: descriptor, readable: true, writable: false });
}

/** Opens a descriptor in Bun, which exits although a socket or a terminal waits. */
function openWithBun(descriptor: number): WaitingStream {
  const { Bun } = globalThis as unknown as { Bun: { file(descriptor: number): Blob } };
  const reader = Bun.file(descriptor).stream().getReader();
  let isLeft = false;
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { value } = await reader.read();
        if (isLeft) throw Object.assign(new Error("left"), { code: "ERR_STREAM_PREMATURE_CLOSE" });
        if (!value) return;
        yield value;
      }
    },
    destroy() {
      isLeft = true;
      void reader.cancel();
    },
  };
}

/** Ends the process even if something keeps it alive, after its output was read, or at the interrupt. */
export function endProcessSoon(interrupt: AbortSignal): void {
  setTimeout(() => {
    const hasPendingOutput = [process.stdout, process.stderr].some(
      ({ writableLength, destroyed }) => writableLength > 0 && !destroyed,
    );
    if (hasPendingOutput && !interrupt.aborted) endProcessSoon(interrupt);
    else process.exit();
  }, EXIT_GRACE).unref();
}

/** Closes descriptors of vanished terminals at the end: Node would set their mode, fail, and dump memory. */
export function closeGoneTerminals(): void {
  process.once("exit", () => {
    const { closeSync, fstatSync } = process.getBuiltinModule("node:fs");
    for (const descriptor of [0, 1, 2]) {
      try {
        // This also closes /dev/null, which does no harm.
        if (fstatSync(descriptor).isCharacterDevice() && !isTerminal(descriptor)) closeSync(descriptor);
      } catch {
        // The descriptor is closed already.
      }
    }
  });
}

/** Returns the library's files and journals, without signals. */
export function libraryWorld() {
  return {
    ...{ clock, env: process.env, interrupt: AbortSignal.any([]), openWaiting, user: process.geteuid?.() },
    // Both clocks are the machine's: their difference is the same in every thread of a process.
    started: () => clock.elapsed() - process.uptime() * 1000,
  };
}
