import { readFileSync } from "node:fs";
import { join } from "node:path";

const CHANGELOG = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");
const HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
const [, ...versions] = CHANGELOG.split(/^## /m);
const entries = CHANGELOG.split("\n").filter((line) => line.startsWith("- "));

test("the newest changes are unreleased", () => expect(versions[0]).toMatch(/^Unreleased\n/));

test("every version has the headings of Keep a Changelog, in order", () => {
  for (const version of versions) {
    const [, ...parts] = version.split(/^### /m);
    const headings = parts.map((part) => part.slice(0, part.indexOf("\n")));
    expect(headings).toEqual(HEADINGS.filter((heading) => headings.includes(heading)));
  }
});

test("every entry is one line that starts with a capital, has a command in backticks, and ends with a period", () => {
  expect(entries.filter((entry) => !/^- [A-Z][a-z]+[ ,].*`[^`]+`.*\.$/.test(entry))).toEqual([]);
  const other = CHANGELOG.split("\n").filter((line) => line !== "" && !/^(?:#+ |- )/.test(line));
  expect(other.length).toBe(1);
});

test("every entry starts with a verb, not with an article, a pronoun, or a question word", () => {
  const NOT_VERBS =
    /^- (?:The|A|An|It|Its|This|That|What|Where|When|Who|How|No|Nobody|Every|All|Any|Many|On|In|After|Before) /;
  expect(entries.filter((entry) => NOT_VERBS.test(entry))).toEqual([]);
});

test("no entry occurs twice", () =>
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]));

test("the changelog has at most 150 lines", () =>
  expect(CHANGELOG.trimEnd().split("\n").length).toBeLessThanOrEqual(150));
