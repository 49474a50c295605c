import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { PROGRAM_GRACE } from "../../timing.ts";
import { type Environment, programEnvironment } from "../environment.ts";

export interface ProgramLimits {
  timeout: number;
  maxBytes: number;
  /** The text for stdin. The output that counts is then stderr, and stdout is discarded. */
  input?: string;
  /** Set if stdout, stderr, and the status are all returned. */
  whole?: true;
}

export interface ProgramResult {
  stdout: string;
  /** Set for a program with input. */
  stderr?: string;
  /** Set for a program that ended by itself, to report it whole. */
  status?: number;
  problem?: string;
}

export interface ProgramSurroundings {
  env: Environment;
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  interrupt: AbortSignal;
  /** Sends a signal to a process and its group, if it still exists. */
  signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
}

/** Runs without a shell or a terminal, in a new session. Children end with it; a timeout or the interrupt ends it. */
export async function runProgram(
  argv: readonly string[],
  { timeout, maxBytes, input, whole }: ProgramLimits,
  surroundings: ProgramSurroundings,
): Promise<ProgramResult> {
  const { clock, interrupt, signalGroup } = surroundings;
  if (interrupt.aborted) return failedResult("it was interrupted");
  const ended = new AbortController();
  const child = spawnProgram(argv, surroundings.env, { input, whole });
  if (!child) return failedResult("it could not be started");
  let problem: string | undefined;

  const stop = async (why: string) => {
    const isStopping = problem !== undefined;
    problem ??= why;
    if (isStopping || child.pid === undefined) return;
    signalGroup(child.pid, "SIGTERM");
    await clock.sleep(PROGRAM_GRACE, ended.signal);
    if (!ended.signal.aborted) signalGroup(child.pid, "SIGKILL");
  };
  const stopNow = () => void stop("it was interrupted");
  interrupt.addEventListener("abort", stopNow, { once: true });
  void clock.sleep(timeout, ended.signal).then(async () => {
    if (!ended.signal.aborted) await stop(`it took longer than ${timeout / 1000} s`);
  });
  const collect = (stream: Readable | null) =>
    stream && collectOutput(stream, maxBytes, () => void stop("it printed too much"));
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);

  const { status, problem: end } = await awaitEnd(child);
  ended.abort();
  interrupt.removeEventListener("abort", stopNow);
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  const printed = (await stdout?.afterEnd(clock)) ?? "";
  const errors = await stderr?.afterEnd(clock);
  problem ??= end;
  return {
    stdout: problem === undefined ? printed : "",
    ...(errors !== undefined && { stderr: errors }),
    ...(whole && status !== null && { status }),
    ...(problem !== undefined && { problem }),
  };
}

function failedResult(problem: string): ProgramResult {
  return { stdout: "", problem };
}

function spawnProgram(
  [program = "", ...args]: readonly string[],
  env: Environment,
  { input, whole }: { input: string | undefined; whole: true | undefined },
): ChildProcess | undefined {
  const isRead = (needed: boolean) => (needed || whole ? "pipe" : "ignore");
  try {
    const child = spawn(program, args, {
      env: programEnvironment(env),
      detached: env.OS !== "Windows_NT",
      windowsHide: true,
      stdio: [input === undefined ? "ignore" : "pipe", isRead(input === undefined), isRead(input !== undefined)],
    });
    // A program need not read its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    return child;
  } catch {
    return undefined;
  }
}

function awaitEnd(child: ChildProcess): Promise<{ status: number | null; problem?: string }> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: null, problem: programStartProblem(error) }));
    child.once("exit", (status, signal) => {
      if (status === 0) resolve({ status });
      else
        resolve({ status, problem: status === null ? `signal ${signal} ended it` : `it ended with status ${status}` });
    });
  });
}

/** Collects a stream that another process may keep open too long. */
function collectOutput(stream: Readable, maxBytes: number, tooMuch: () => void) {
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
      for (let seen = -1; seen !== size && size <= maxBytes && !hasEnded; ) {
        seen = size;
        await clock.sleep(1, NEVER);
      }
      stream.destroy();
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

const NEVER = new AbortController().signal;

export const NOT_FOUND = "program not found";

export function programStartProblem(error: Error & { code?: unknown }): string {
  if (error.code === "ENOENT") return NOT_FOUND;
  return error.code === "EACCES" ? "it may not be run" : "it could not be started";
}
