import { expect } from "vitest";

/** Waits for a run that has to end with this exit code. */
export async function exited<T extends { exitCode?: number | undefined; stderr?: string }>(
  code: number,
  running: Promise<T>,
): Promise<T> {
  const ran = await running;
  expect(ran.exitCode, ran.stderr).toBe(code);
  return ran;
}
