import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { PROGRAM_GRACE } from "../../timing.ts";
import { type Environment, environmentOfPrograms } from "../environment.ts";

export interface ProgramLimits {
  timeout: number;
  maxBytes: number;
  /** The text for stdin. The output that counts is then stderr, and stdout is discarded. */
  input?: string;
}

/** A program's output, or an error message without any of its stdout. */
export interface ProgramResult {
  stdout: string;
  /** Set for a program with input. */
  stderr?: string;
  problem?: string;
}

/** The required parts of this process and its system. */
export interface ProgramSurroundings {
  env: Environment;
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** Ends the program when aborted. */
  interrupt: AbortSignal;
  /** Sends a signal to a process and its group; does nothing if the group has ended. */
  signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/**
 * Runs a program without a shell, in a new session: it has no terminal, an empty stdin or the input, and its children
 * end with it.
 * Its output is complete when it exits. It is ended on timeout and by the interrupt.
 */
export async function runProgram(
  argv: readonly string[],
  { timeout, maxBytes, input }: ProgramLimits,
  surroundings: ProgramSurroundings,
): Promise<ProgramResult> {
  const { clock, interrupt, signalGroup } = surroundings;
  if (interrupt.aborted) return failed("it was interrupted");
  const ended = new AbortController();
  const child = started(argv, surroundings.env, input);
  if (!child) return failed("it could not be started");
  let problem: string | undefined;

  const stop = async (why: string) => {
    problem ??= why;
    if (child.pid === undefined) return;
    signalGroup(child.pid, "SIGTERM");
    await clock.sleep(PROGRAM_GRACE, ended.signal);
    if (!ended.signal.aborted) signalGroup(child.pid, "SIGKILL");
  };
  const stopNow = () => void stop("it was interrupted");
  interrupt.addEventListener("abort", stopNow, { once: true });
  void clock.sleep(timeout, ended.signal).then(async () => {
    if (!ended.signal.aborted) await stop(`it took longer than ${timeout / 1000} s`);
  });
  const output = collected(child.output, maxBytes, () => void stop("it printed too much"));

  const end = await endOf(child);
  ended.abort();
  interrupt.removeEventListener("abort", stopNow);
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  const text = await output.afterEnd(clock);
  problem ??= end;
  if (input !== undefined) return { stdout: "", stderr: text, ...(problem !== undefined && { problem }) };
  return problem === undefined ? { stdout: text } : failed(problem);
}

function failed(problem: string): ProgramResult {
  return { stdout: "", problem };
}

type Started = ChildProcess & { output: Readable };

/** Starts a program; returns undefined for words that cannot be passed to a program. */
function started(
  [program = "", ...args]: readonly string[],
  env: Environment,
  input: string | undefined,
): Started | undefined {
  try {
    const options = {
      env: environmentOfPrograms(env),
      detached: env.OS !== "Windows_NT",
      windowsHide: true,
    };
    if (input === undefined) {
      const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
      return Object.assign(child, { output: child.stdout });
    }
    const child = spawn(program, args, { ...options, stdio: ["pipe", "ignore", "pipe"] });
    // A program need not read its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    return Object.assign(child, { output: child.stderr });
  } catch {
    return undefined;
  }
}

/** Resolves to the error of a program, or to undefined on success. */
function endOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(startProblem(error)));
    child.once("exit", (status, signal) => {
      if (status === 0) resolve(undefined);
      else resolve(status === null ? `signal ${signal} ended it` : `it ended with status ${status}`);
    });
  });
}

/** Collects a stream that another process may keep open after the output is needed. */
function collected(stream: Readable, maxBytes: number, tooMuch: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let hasEnded = false;
  stream.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else tooMuch();
  });
  stream.once("close", () => {
    hasEnded = true;
  });
  stream.on("error", () => {});
  return {
    /** Resolves after the remaining output: it is in the pipe, and is read at the next turn of the event loop. */
    async afterEnd(clock: ProgramSurroundings["clock"]): Promise<string> {
      for (let seen = -1; seen !== size && !hasEnded; ) {
        seen = size;
        await clock.sleep(1, NEVER);
      }
      stream.destroy();
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

const NEVER = new AbortController().signal;

/** Returns why a program did not start. */
export function startProblem(error: Error & { code?: unknown }): string {
  if (error.code === "ENOENT") return "program not found";
  return error.code === "EACCES" ? "it may not be run" : "it could not be started";
}
