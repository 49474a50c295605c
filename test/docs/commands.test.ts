import { expect, test } from "vitest";
import { GUIDES, splitStep, stepsOf } from "../e2e/guide.ts";
import { cli } from "../helpers/cli.ts";

const LINES = GUIDES.flatMap((path) =>
  stepsOf(path).flatMap((step) => splitStep(step).plain.map((line) => [path, line])),
);

// All other commands of the documents run as processes: test/readme.test.ts.
test.for(LINES)("%s: %s", async ([, line = ""]) => {
  const { exitCode, stderr } = await cli(line.replace(/^relayctl /, ""));
  expect(exitCode, stderr).toBe(0);
});

test("most lines that only read run without a process", () => {
  expect(LINES.length).toBeGreaterThan(40);
});
