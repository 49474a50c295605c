import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALL_CODES, LOCAL_CODES, RELAYER_CODES, SERVICE_CODES } from "../../src/commands/doctor/codes.ts";

test("the page of doctor describes each code with its severity, in the order of the checks", () => {
  const page = readFileSync("docs/doctor.md", "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[A-Z]+-/.test(line));
  const codes = { ...SERVICE_CODES, ...RELAYER_CODES, ...LOCAL_CODES };
  expect(rows).toEqual(ALL_CODES.map((code) => `| \`${code}\` | ${codes[code].severity} | ${codes[code].about} |`));
});
