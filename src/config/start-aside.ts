import { spawn } from "node:child_process";

/**
 * Starts a program that goes on by itself, hears nothing of it, and waits for its end no longer than this.
 * @param patience milliseconds
 */
export async function startAside(
  [program = "", ...args]: readonly string[],
  patience: number,
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> },
): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: "ignore", windowsHide: true });
  const ended = new AbortController();
  child.once("exit", () => ended.abort()).once("error", () => ended.abort());
  await clock.sleep(patience, ended.signal);
  child.unref();
}
