import { cli } from "../../helpers/cli.ts";

export type Rule = readonly [line: string, words: string];

/** Exit 2, in these words, and nothing was asked of the service at all. */
export async function expectRefused(line: string, words: string, files: Record<string, string> = {}): Promise<void> {
  const ran = await cli(line, { files });
  expect({ exitCode: ran.exitCode, stdout: ran.stdout, requests: ran.requests.length }, ran.stderr).toEqual({
    exitCode: 2,
    stdout: "",
    requests: 0,
  });
  expect(ran.stderr).toContain(words);
}

/** A file for `-f`, by its name. */
export function bodyFile(body: unknown): Record<string, string> {
  return { "body.json": JSON.stringify(body) };
}
