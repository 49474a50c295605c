import { execFile } from "node:child_process";
import { type Environment, environmentOfPrograms } from "./environment.ts";

export interface ProgramLimits {
  timeout: number;
  maxBytes: number;
}

/** What a program printed, or what went wrong in words that hold nothing of its output. */
export interface ProgramResult {
  stdout: string;
  problem?: string;
}

/** Runs a program without a shell. Its stdin is closed, and it is killed when its time is up. */
export function runProgram(argv: readonly string[], env: Environment, limits: ProgramLimits): Promise<ProgramResult> {
  const [program = "", ...operands] = argv;
  return new Promise((resolve) => {
    const child = execFile(
      program,
      operands,
      {
        env: environmentOfPrograms(env),
        timeout: limits.timeout,
        killSignal: "SIGKILL",
        maxBuffer: limits.maxBytes,
        encoding: "utf8",
        windowsHide: true,
      },
      (error, stdout) => resolve(error ? { stdout: "", problem: problemOf(error, limits) } : { stdout }),
    );
    child.stdin?.end();
  });
}

function problemOf(error: Error & { code?: unknown; killed?: boolean }, limits: ProgramLimits): string {
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it printed too much";
  if (error.killed) return `it took longer than ${limits.timeout / 1000} s`;
  return typeof error.code === "number" ? `it ended with status ${error.code}` : startProblem(error);
}

/** Why a program was not even started. */
export function startProblem(error: Error & { code?: unknown }): string {
  if (error.code === "ENOENT") return "there is no such program";
  return error.code === "EACCES" ? "it may not be run" : "it could not be started";
}
