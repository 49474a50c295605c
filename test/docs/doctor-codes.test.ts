import { readFileSync } from "node:fs";
import { ALL_CODES, LOCAL_CODES, RELAYER_CODES, SERVICE_CODES } from "../../src/doctor/codes.ts";
import { cli } from "../helpers/cli.ts";

test("the page of doctor describes each code with its severity, in the order of the checks", () => {
  const page = readFileSync("docs/reference/doctor.md", "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[A-Z]+-/.test(line));
  const codes = { ...SERVICE_CODES, ...RELAYER_CODES, ...LOCAL_CODES };
  expect(rows).toEqual(ALL_CODES.map((code) => `| \`${code}\` | ${codes[code].severity} | ${codes[code].about} |`));
});

test("the page of doctor explains each severity as its help page does", async () => {
  const page = readFileSync("docs/reference/doctor.md", "utf8");
  const { stdout } = await cli("help codes");
  const meanings = [...stdout.matchAll(/^(fail|warn|note): (.*)$/gm)].map(([, name, text]) => `| ${name} | ${text} |`);
  expect(meanings).toHaveLength(3);
  expect(page.split("\n").filter((line) => /^\| (?:fail|warn|note) \|/.test(line))).toEqual(meanings);
});
