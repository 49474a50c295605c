import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { DEEP } from "../helpers/deep.ts";
import { newFolder, ROOT, relayctl, spawnOptions } from "./relayctl.ts";

/** Runs a script on the library in a process whose heap is bounded, so that it fails if it needs more. */
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

test.runIf(DEEP)("reads a hundred thousand payments with a heap of a few times the bytes of their file", async () => {
  const folder = newFolder();
  const rows = Array.from(
    { length: 100_000 },
    (_, index) => `0x${index.toString(16).padStart(40, "b")},${index + 1},21000`,
  );
  writeFileSync(join(folder, "payouts.csv"), ["to,value,gas_limit", ...rows, ""].join("\n"));
  const { exitCode, stderr } = await relayctl(
    [
      "tx",
      "send-many",
      "base-hot",
      "-f",
      join(folder, "payouts.csv"),
      "--speed",
      "fast",
      "--state",
      join(folder, "runs"),
    ],
    {
      folder,
      env: { NODE_OPTIONS: "--max-old-space-size=36", RELAYCTL_SERVER: "http://127.0.0.1:1", RELAYCTL_TOKEN: "t" },
    },
  );
  expect(stderr).toContain("127.0.0.1:1: connection refused");
  expect(exitCode).toBe(10);
});
