import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Environment, environmentOfPrograms } from "../environment.ts";

export interface ProgramLimits {
  timeout: number;
  maxBytes: number;
}

/** What a program printed, or what went wrong in words that hold nothing of its output. */
export interface ProgramResult {
  stdout: string;
  problem?: string;
}

/** What is needed of this process and its system. */
export interface ProgramSurroundings {
  env: Environment;
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** Its abortion ends the program. */
  interrupt: AbortSignal;
  /** Sends a signal to a process and all that it started in its group; to a group that has ended, none. */
  signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/** Milliseconds that a program has to end by itself once it is asked to. */
const GRACE = 500;

/**
 * Runs a program without a shell, in a session of its own: it has neither stdin nor a terminal, and what it leaves running
 * ends with it. Its output is complete when it exits. It is ended when its time is up, and by the interrupt.
 */
export async function runProgram(
  argv: readonly string[],
  { timeout, maxBytes }: ProgramLimits,
  surroundings: ProgramSurroundings,
): Promise<ProgramResult> {
  const { clock, interrupt, signalGroup } = surroundings;
  if (interrupt.aborted) return failed("it was interrupted");
  const ended = new AbortController();
  const child = started(argv, surroundings.env);
  if (!child) return failed("it could not be started");
  let problem: string | undefined;

  const stop = async (why: string) => {
    problem ??= why;
    if (child.pid === undefined) return;
    signalGroup(child.pid, "SIGTERM");
    await clock.sleep(GRACE, ended.signal);
    if (!ended.signal.aborted) signalGroup(child.pid, "SIGKILL");
  };
  const stopNow = () => void stop("it was interrupted");
  interrupt.addEventListener("abort", stopNow, { once: true });
  void clock.sleep(timeout, ended.signal).then(async () => {
    if (!ended.signal.aborted) await stop(`it took longer than ${timeout / 1000} s`);
  });
  const output = collected(child.stdout, maxBytes, () => void stop("it printed too much"));

  const end = await endOf(child);
  ended.abort();
  interrupt.removeEventListener("abort", stopNow);
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  const text = await output.afterEnd(clock);
  problem ??= end;
  return problem === undefined ? { stdout: text } : failed(problem);
}

function failed(problem: string): ProgramResult {
  return { stdout: "", problem };
}

type Started = ChildProcess & { stdout: Readable };

/** Nothing for words that no program can be given. */
function started([program = "", ...args]: readonly string[], env: Environment): Started | undefined {
  try {
    return spawn(program, args, {
      env: environmentOfPrograms(env),
      detached: env.OS !== "Windows_NT",
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
  } catch {
    return undefined;
  }
}

/** Nothing when all went well, else what went wrong. */
function endOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(startProblem(error)));
    child.once("exit", (status, signal) => {
      if (status === 0) resolve(undefined);
      else resolve(status === null ? `signal ${signal} ended it` : `it ended with status ${status}`);
    });
  });
}

/** Reads a stream that another process may keep open for longer than its output is waited for. */
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
    /** What was written before the end is in the pipe: it is read at the next turn of the event loop. */
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

/** Why a program was not even started. */
export function startProblem(error: Error & { code?: unknown }): string {
  if (error.code === "ENOENT") return "program not found";
  return error.code === "EACCES" ? "it may not be run" : "it could not be started";
}
