import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../docs/project/decisions");
const names = readdirSync(FOLDER).filter((name) => name !== "README.md");
const records = names.map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));

test.each(records)("$name has a title, a status, a context, a decision, and consequences", ({ text }) => {
  expect(text).toMatch(
    /^# \S.*\n\n## Status\n\n(?:Accepted|Replaced by decision \d+)[^#]*\n\n## Context\n\n\S[^#]*\n\n## Decision\n\n\S[^#]*\n\n## Consequences\n\n\S[^#]*\n$/,
  );
});

test("the records are numbered without gaps", () =>
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1)));

test("the index lists every record with its title", () => {
  const index = readFileSync(join(FOLDER, "README.md"), "utf8");
  const lines = records.map(
    ({ name, text }) => `- [${name.slice(0, 4)}](${name}) ${text.slice(2, text.indexOf("\n"))}`,
  );
  expect(index.split("\n").filter((line) => line.startsWith("- "))).toEqual(lines);
});
