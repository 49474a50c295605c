import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { DOCUMENTS, filesIn, ROOT } from "./documents.ts";
import { textsIn } from "./texts-in-source.ts";
import { titlesIn } from "./titles-in-source.ts";
import { hitLine, hitsIn, proseOf, SYNTAX_LIST, WORD_LIST } from "./word-list.ts";

/** Returns the comments of a TypeScript source, as they stand there. */
function commentsIn(source: string): string[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  let [code, end] = ["", 0];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      code += source.slice(end, node.getStart(file)) + "_".repeat(node.getWidth(file));
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return (code + source.slice(end)).match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
}

const HELP = [...filesIn("test/cli/help", ".txt"), ...filesIn("man", ".1")];
const TESTS = filesIn("test", ".ts");
/** Pages that a user looks something up in. */
const LOOKED_UP = DOCUMENTS.filter((name) => /^docs\/(?:README|reference|schemas)|^SECURITY\.md$/.test(name));
/** Lists, and pages that tests write: most of their text is in tables. */
const TABLES = /(?:members|limits|coverage|glossary|schemas\/README)\.md$/;
/** What a user reads from top to bottom. */
const READ = DOCUMENTS.filter((name) => /^README\.md$|^docs\/(?:start|guides)\//.test(name));

/** Matches a section that a script wrote with what it measured. */
const WRITTEN = /<!-- (\w+): written.*?<!-- end of \1 -->/gs;

function textOf(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  return file.endsWith(".md") ? proseOf(text.replaceAll(WRITTEN, "")) : text.replaceAll("\\-", "-");
}

const NEGATED = /\bnothing\b|\bno (?!longer\b|more\b|matter\b)\w/gi;

function ratesIn(prose: string): (pattern: RegExp) => number {
  const words = prose.split(/\s+/).length;
  return (pattern) => (1000 * [...prose.matchAll(pattern)].length) / words;
}

function hitLines(files: readonly string[], list = WORD_LIST): string[] {
  return files.flatMap((file) => hitLine(file, textOf(file), list));
}

test("every help screen and man page keeps to the word list, and no sentence sounds translated", () => {
  expect(HELP.length).toBeGreaterThan(80);
  expect(hitLines(HELP)).toEqual([]);
  expect(hitLines(HELP, SYNTAX_LIST)).toEqual([]);
});

test.each(DOCUMENTS)("the prose of %s keeps to the word list, and no sentence sounds translated", (name) => {
  expect(hitLines([name])).toEqual([]);
  expect(hitLines([name], SYNTAX_LIST)).toEqual([]);
});

test("README and guides speak to the reader, say what happens, and have short sentences", () => {
  const perThousand = ratesIn(READ.map(textOf).join("\n"));
  expect(perThousand(/\byou(?:rs?)?\b/gi)).toBeGreaterThan(8);
  expect(perThousand(NEGATED)).toBeLessThan(2);
  expect(perThousand(/;/g)).toBeLessThan(3);
});

test("reference and security say what happens too, and speak to the reader where there is something to do", () => {
  const pages = LOOKED_UP.filter((name) => !TABLES.test(name));
  const perThousand = ratesIn(pages.map((name) => textOf(name).replaceAll(/^\|.*$/gm, "")).join("\n"));
  expect(pages.length).toBeGreaterThan(10);
  expect(perThousand(/\byou(?:rs?)?\b/gi)).toBeGreaterThan(8);
  expect(perThousand(NEGATED)).toBeLessThan(2);
  expect(perThousand(/;/g)).toBeLessThan(3);
});

test("README and guides together have at most 25,000 words", () => {
  const words = READ.flatMap((name) => readFileSync(join(ROOT, name), "utf8").split(/\s+/));
  expect(READ.length).toBeGreaterThan(15);
  expect(words.length).toBeLessThanOrEqual(25_000);
});

/** Texts that may be titles: literals at the beginning of what is passed to a function. Only a file with a hit in one is parsed. */
const PASSED = /\(\s*((?:"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\s*\+\s*)+)/g;

test("every test title keeps to the word list", () => {
  const found = TESTS.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const passed = [...text.matchAll(PASSED)].map(([, literal]) => literal);
    if (hitsIn(passed.join("\n")).length === 0) return [];
    const titles = titlesIn(text);
    return titles.filter((title) => hitsIn(proseOf(title)).length > 0).map((title) => `${file}: ${title}`);
  });
  expect(TESTS.length).toBeGreaterThan(400);
  expect(found).toEqual([]);
});

/** Finds every comment, and more: only a file with a hit in it is parsed. */
const COMMENTS = [/\/\*[\s\S]*?\*\//g, /\/\/.*(?:\n\s*\/\/.*)*/g];

test("every comment keeps to the word list, and no sentence sounds translated", () => {
  const sources = ["src", "test", "scripts"].flatMap((folder) => [
    ...filesIn(folder, ".ts"),
    ...filesIn(folder, ".js"),
  ]);
  const linesOf = (file: string, text: string) =>
    [WORD_LIST, SYNTAX_LIST].flatMap((list) => hitLine(file, proseOfComments(text), list));
  const found = sources.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const possible = COMMENTS.flatMap((pattern) => text.match(pattern) ?? []).join("\n");
    return linesOf(file, possible).length === 0 ? [] : linesOf(file, commentsIn(text).join("\n"));
  });
  expect(sources.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});

/** Returns comments without their marks, code, and quoted data. */
function proseOfComments(text: string): string {
  return proseOf(text.replaceAll(/^\s*(?:\*|\/\/)|\/\*\*?/gm, "")).replaceAll(/"[^"]*"/g, '"…"');
}

describe("the word list", () => {
  test.each([...WORD_LIST, ...SYNTAX_LIST])("finds the words that $better replaces", ({ pattern, bad, good = [] }) => {
    const found = (text: string) => new RegExp(pattern.source, "i").test(text);
    expect(bad.filter((text) => !found(text))).toEqual([]);
    expect(good.filter(found)).toEqual([]);
  });

  test("finds a phrase across a line break, and each place once", () =>
    expect(hitsIn("No\n  such relayer. It is told, and told again.").map(({ words }) => words)).toEqual([
      "told",
      "told",
      "no such",
    ]));

  test("reads the prose of a document, but not its code", () =>
    expect(hitsIn(proseOf("Run `relayctl tell`.\n```\ntell\n```\nIt tells all.\n"))).toHaveLength(1));

  test("finds the texts of a source file, joined if they are concatenated, without names and comments", () => {
    const source = [
      'import a from "a"; // is told',
      'const told = "is no " + `$' + '{told} longer` + " than";',
      "f(`say $" + "{x} it`);",
    ].join("\n");
    expect(textsIn(ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest))).toEqual([
      "is no … longer than",
      "say … it",
    ]);
  });

  test("finds the comments of a source file, but not what looks similar in texts and regular expressions", () => {
    const source = [
      'const a = "/* told */"; // one',
      "const b = /[/*] told/; /* two */ const c = `// $" + "{a /* three */} // told`;",
      "/**",
      " * four */",
      "f(a / 2, b); // five",
    ].join("\n");
    expect(commentsIn(source)).toEqual(["// one", "/* two */", "/* three */", "/**\n * four */", "// five"]);
  });

  test("finds the titles of tests and groups, without quoted data and other calls", () => {
    const source = [
      'describe("a list", () => { test(`reads "told" in $' + '{one}`, () => f("told")); });',
      'test.skipIf(slow).each(["told"])("prints %s", () => {});',
      '/told/.test("is told");',
    ].join("\n");
    expect(titlesIn(source)).toEqual(["a list", 'reads "…" in …', "prints %s"]);
  });
});
