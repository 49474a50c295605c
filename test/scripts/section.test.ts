import { expect, test } from "vitest";
import { withSection } from "../../scripts/section.js";

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
