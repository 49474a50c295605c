/** Waits for a run that has to end with this exit code, or like this. */
export async function exited<T extends { exitCode?: number | undefined; stderr?: string }>(
  expected: number | object,
  running: Promise<T>,
): Promise<T> {
  const ran = await running;
  expect(ran, ran.stderr).toMatchObject(typeof expected === "number" ? { exitCode: expected } : expected);
  return ran;
}

/** What stderr says: a text or a pattern, or several of them. */
export type Said = string | RegExp | readonly (string | RegExp)[];

/** Waits for a run that has to end like this, and to say this on stderr. */
export async function exitedSaying(
  expected: number | object,
  running: Promise<{ exitCode?: number | undefined; stderr: string }>,
  said: Said,
): Promise<void> {
  const { stderr } = await exited(expected, running);
  for (const one of [said].flat()) expect(stderr).toMatch(one);
}

/** Returns the error that a run with `-o json` printed, on the last line of stderr. */
export function printedError(stderr: string) {
  return JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
}
