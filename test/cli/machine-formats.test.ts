import { expect, test } from "vitest";
import { cli } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const LINES = [
  "relayers list",
  "relayers get eth-main-1",
  "relayers status",
  "relayers balance eth-main-1",
  "tx list eth-main-1",
  `tx get eth-main-1 ${ID}`,
  "tx stuck",
  "networks list",
  "notifications list",
  "signers list",
  "plugins list",
  "doctor",
  "history",
  "context list",
  "find ops-hook",
  "plan",
  "relayers update eth-main-1 --name Ops",
  "relayers get nobody",
];
const FORMATS = ["json", "ndjson", "yaml", "csv", "tsv", "name", "raw", "prom"];
const CASES = LINES.flatMap((line) =>
  FORMATS.flatMap((format) => [`--color always`, ""].map((flag): [string] => [`${line} -o ${format} ${flag}`.trim()])),
);

test.each(sampled(CASES, 23))("%s into a pipe prints no escape in any color setting", async (line) => {
  const { stdout, stderr } = await cli(`${line} --demo`, { env: { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" } });
  expect(stdout).not.toContain("\u001b");
  expect(stderr).not.toContain("\u001b");
});

test.each(["csv", "tsv", "name", "raw", "prom"])("-o %s also prints no escape on a terminal", async (format) => {
  for (const line of LINES) {
    const { stdout } = await cli(`${line} -o ${format} --color always --demo`, { terminal: true });
    if (format !== "raw") expect(stdout, line).not.toContain("\u001b");
  }
});
