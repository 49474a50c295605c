import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./documents.ts";

const ROW = /^\| (.+?) \| (.+) \| `(src\/.+)` \|$/;
const [, ...lines] = readFileSync(join(ROOT, "docs/reference/glossary.md"), "utf8")
  .split("|---|---|---|\n")
  .flatMap(linesOf);
const rows = lines.map((line) => {
  const [, word = "", meaning = "", file = ""] = ROW.exec(line) ?? [];
  return { line, word, meaning, file };
});

function linesOf(text: string, index: number): string[] {
  return index === 0 ? [text] : text.trimEnd().split("\n");
}

test("every line of the glossary has a word, its meaning, and an existing source file", () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ file }) => file === "" || !existsSync(join(ROOT, file))).map(({ line }) => line)).toEqual([]);
});

test("every type in the glossary is exported by its file", () => {
  const types = rows.filter(({ word }) => word.startsWith("`"));
  expect(types.length).toBeGreaterThan(20);
  const isExported = (word: string, file: string) =>
    new RegExp(`^export (?:type|interface|class) ${word.replaceAll("`", "")}\\b`, "m").test(
      readFileSync(join(ROOT, file), "utf8"),
    );
  expect(types.filter(({ word, file }) => !isExported(word, file)).map(({ line }) => line)).toEqual([]);
});

test("every meaning is one sentence", () =>
  expect(rows.filter(({ meaning }) => !/^[A-Z](?:[^.]|\.(?=[^ ]))*\.$/.test(meaning)).map(({ line }) => line)).toEqual(
    [],
  ));

test("the words are unique and in alphabetical order", () => {
  const words = rows.map(({ word }) => word.replaceAll("`", "").toLowerCase());
  expect(words).toEqual([...new Set(words)].sort());
});
