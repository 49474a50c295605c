import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { ROOT, spawnOptions } from "./relayctl.ts";

/** Runs a script on the library in a process whose heap is bounded: one that holds more does not end well. */
async function inMebibytes(heap: number, script: string) {
  const library = `const { parseJson } = require(${JSON.stringify(join(ROOT, "dist/index.js"))});`;
  const { exitCode } = await execa(
    process.execPath,
    [`--max-old-space-size=${heap}`, "-e", library + script],
    spawnOptions({}),
  );
  return exitCode;
}

test("parses sixteen million escapes with a heap of a few times their size", async () => {
  const script = String.raw`const text = '"' + "\\n".repeat(2 ** 24) + '"'; process.exitCode = parseJson(text).length / 2 ** 20;`;
  expect(await inMebibytes(150, script)).toBe(16);
});
