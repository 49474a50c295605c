import { execFile } from "node:child_process";
import type { Environment } from "./environment.ts";

export interface ProgramLimits {
  timeout: number;
  maxBytes: number;
}

/** What a program printed, or what went wrong in words that hold nothing of its output. */
export interface ProgramResult {
  stdout: string;
  problem?: string;
}

/** Variables that a helper program must not see: it is asked for a token, it is given none. */
const HIDDEN = ["RELAYCTL_TOKEN"];

/** Runs a program without a shell. Its stdin is closed, and it is killed when its time is up. */
export function runProgram(argv: readonly string[], env: Environment, limits: ProgramLimits): Promise<ProgramResult> {
  const [program = "", ...operands] = argv;
  const visible = Object.fromEntries(Object.entries(env).filter(([name]) => !HIDDEN.includes(name)));
  return new Promise((resolve) => {
    const child = execFile(
      program,
      operands,
      {
        env: visible,
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
  if (error.code === "ENOENT") return "there is no such program";
  if (error.code === "EACCES") return "it may not be run";
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it printed too much";
  if (error.killed) return `it took longer than ${limits.timeout / 1000} s`;
  return typeof error.code === "number" ? `it ended with status ${error.code}` : "it could not be run";
}
