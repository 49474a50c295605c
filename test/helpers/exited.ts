/** Waits for a run that has to end with this exit code, or like this. */
export async function exited<T extends { exitCode?: number | undefined; stderr?: string }>(
  expected: number | object,
  running: Promise<T>,
): Promise<T> {
  const ran = await running;
  expect(ran, ran.stderr).toMatchObject(typeof expected === "number" ? { exitCode: expected } : expected);
  return ran;
}

/** Waits for a run that has to end like this, and to say these words on stderr. */
export async function exitedSaying(
  expected: number | object,
  running: Promise<{ exitCode?: number | undefined; stderr: string }>,
  words: string,
): Promise<void> {
  expect((await exited(expected, running)).stderr).toContain(words);
}

/** Returns the error that a run with `-o json` printed, on the last line of stderr. */
export function printedError(stderr: string) {
  return JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
}
