import { unrecorded, withSection } from "../../scripts/section.js";

const DOCUMENT = "# Speed\n\n<!-- bench: written by npm run bench -->\n\nold\n\n<!-- end of bench -->\n\nmore\n";

test("only the text between the marks is replaced", () => {
  const written = withSection(DOCUMENT, "bench", "| new |");
  expect(written).toBe(DOCUMENT.replace("old", "| new |"));
  expect(withSection(written, "bench", "| new |")).toBe(written);
});

test("a document without the marks is rejected", () => {
  expect(() => withSection(DOCUMENT, "figures", "")).toThrow("there is no place for figures");
  expect(() => withSection(DOCUMENT.replace("end of bench", ""), "bench", "")).toThrow("there is no place for bench");
});

const MEASURED = { document: "docs/project/performance.md", date: "2026-01-02", commit: "0123abcd" };
const RECORD = {
  sections: { bench: { ...MEASURED, lines: ["| 7 |"] } },
  prose: [{ ...MEASURED, figures: ["1,000 runs", "2.5 s"] }],
  chosen: [],
};
const PAGE = withSection(
  `${DOCUMENT}\nMeasured on 2026-01-02, commit 0123abcd: 1,000 runs in 2.5 s, with exit 0.\n\nA rule of 3 words.\n`,
  "bench",
  "Measured on 2026-01-02, commit 0123abcd.\n\n| 7 |",
);

test.each([
  ["what it says", PAGE, []],
  [
    "another section",
    PAGE.replace("| 7 |", "| 8 |"),
    ["docs/project/performance.md: the section bench differs from docs/project/figures.json"],
  ],
  ["another date of a section", PAGE.replace("2026-01-02, commit 0123abcd.", "2026-01-03, commit 0123abcd."), 1],
  [
    "another figure",
    PAGE.replace("1,000 runs", "11,000 runs"),
    [
      'docs/project/performance.md: docs/project/figures.json does not have "11,000 runs"',
      'docs/project/figures.json: docs/project/performance.md does not have "1,000 runs"',
    ],
  ],
  ["a part of a figure", PAGE.replace("2.5 s", "5 s"), 2],
  ["another commit", PAGE.replace("commit 0123abcd:", "commit 0123abce:"), 1],
  ["one more paragraph", `${PAGE}\nIn 40 lives, nothing was paid twice.\n`, 1],
])("a page is compared with its record: %s", (_, page, faults) => {
  const found = unrecorded("docs/project/performance.md", page, RECORD);
  expect(typeof faults === "number" ? found.length : found).toEqual(faults);
});
