import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DIFFERENCES } from "../../e2e/differences.ts";

const root = join(import.meta.dirname, "../../..");

test.each(DIFFERENCES)("$file has the test that is skipped for an executable: $title", ({ file, title }) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(text).toContain(title === undefined ? "test(" : `test("${title}"`);
});

test("every skipped test has a reason and an effect, and no test is skipped twice", () => {
  for (const { reason, effect } of DIFFERENCES)
    expect([reason, effect]).toEqual([/\.$/, /\.$/].map((end) => expect.stringMatching(end)));
  const skipped = DIFFERENCES.map(({ file, title }) => `${file}: ${title}`);
  expect(new Set(skipped).size).toBe(skipped.length);
});
