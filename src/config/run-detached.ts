import { spawn } from "node:child_process";

/** Starts a program that keeps running, without output. @param patience milliseconds to wait for its end */
export async function runDetached(
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
