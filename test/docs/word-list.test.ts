import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textsIn } from "./texts-in-source.ts";
import { hitsIn, WORD_LIST } from "./word-list.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXCEPTIONS = "word-list-exceptions.txt";

const HELP = [...filesIn("test/cli/help", ".txt"), ...filesIn("man", ".1")];
const DOCS = ["README.md", "CHANGELOG.md", ...filesIn("docs", ".md"), ...filesIn("docs", ".txt")];
/** Screens and questions in snapshots; all other texts of the program are read from its sources. */
const SCREENS = filesIn("test/commands", ".txt");
/** Without the embedded server, which repeats the texts of the real service. */
const SOURCES = filesIn("src", ".ts").filter((file) => !file.startsWith("src/demo/"));

function filesIn(folder: string, ending: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => `${folder}/${path}`);
}

function textOf(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  if (file.endsWith(".ts")) return textsIn(text).join("\n");
  return file.endsWith(".1") ? text.replaceAll("\\-", "-") : text;
}

/** `docs/a.md: 3 (told, beside)` */
function hitLines(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const words = hitsIn(textOf(file)).map((hit) => hit.words);
    return words.length === 0 ? [] : `${file}: ${words.length} (${[...new Set(words)].join(", ")})`;
  });
}

test("every help screen and man page keeps to the word list", () => {
  expect(HELP.length).toBeGreaterThan(80);
  expect(hitLines(HELP)).toEqual([]);
});

test("documents and texts of the program keep to the word list, except the hits on record", async () => {
  const files = [...DOCS, ...SCREENS, ...SOURCES];
  expect(files.length).toBeGreaterThan(500);
  await expect(`${hitLines(files).join("\n")}\n`).toMatchFileSnapshot(EXCEPTIONS);
});

describe("the word list", () => {
  test.each(WORD_LIST)("finds what $better replaces", ({ pattern, bad, good = [] }) => {
    const found = (text: string) => new RegExp(pattern.source, "i").test(text);
    expect(bad.filter((text) => !found(text))).toEqual([]);
    expect(good.filter(found)).toEqual([]);
  });

  test("finds a phrase across a line break, and each place once", () => {
    expect(hitsIn("No\n  such relayer. It is told, and told again.").map(({ words }) => words)).toEqual([
      "told",
      "told",
      "no such",
    ]);
  });

  test("finds the texts of a source, joined ones as a whole, and neither names nor comments", () => {
    const source = [
      'import a from "a"; // is told',
      'const told = "is no " + `$' + '{told} longer` + " than";',
      "f(`say $" + "{x} it`);",
    ].join("\n");
    expect(textsIn(source)).toEqual(["is no … longer than", "say … it"]);
  });
});
