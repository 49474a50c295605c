import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DOCUMENTS, ROOT } from "./documents.ts";

/** A section of a document, as a comment or a text cites it: `facts 5.3`. */
interface Citation {
  document: string;
  section: string;
}

/** The documents that can be cited. */
const CITABLE = ["interface", "facts", "promises", "decision"] as const;

const SECTION = /\d+(?:\.\d+)?/;
const AND = /, and |, | and /;
const CITATION = new RegExp(
  `\\b(${CITABLE.join("|")}) (${SECTION.source}(?:(?:${AND.source})${SECTION.source})*)`,
  "g",
);

/** Words before a number that are not the name of a document. */
const ORDINARY = ["status", "not", "page", "line", "column", "exit", "code", "row", "rule", "version"];
/** A name with a number at the start of a comment or of parentheses. */
const NAMED = /(?:\(|\/\*\* |\/\/ )([a-z][a-z-]*) [A-Z]?\d+(?:\.\d+)?(?=[),;:]|\.(?!\d))/g;
const FILE = /(?<![\w./-])[\w./-]*[\w-]\.md\b/g;

/** Returns every citation in a text, once for each section. Line breaks count as spaces. */
function citationsIn(text: string): Citation[] {
  return [...onOneLine(text).matchAll(CITATION)].flatMap(([, document = "", sections = ""]) =>
    sections.split(AND).map((section) => ({ document, section })),
  );
}

/**
 * Returns what looks like a citation of an unknown document: `(handbook 5.3)`, `handbook.md`. @param files known names
 */
function unknownCitationsIn(text: string, files: readonly string[]): string[] {
  const line = onOneLine(text);
  const named = [...line.matchAll(NAMED)].filter(([, name = ""]) => !(isCitable(name) || ORDINARY.includes(name)));
  const linked = [...line.matchAll(FILE)].filter(([path]) => !isFileOf(path, files));
  return [...named, ...linked].map(([found]) => found);
}

/** Returns the citable sections of a Markdown text: the numbers of its headings. */
function sectionsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, section = ""]) => section);
}

/** Whether a path leads to a document. A citable document is cited by its name, unless the path has a folder. */
function isFileOf(path: string, files: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return files.includes(name) && (name !== path || !isCitable(name.replace(".md", "")));
}

function isCitable(name: string): boolean {
  return CITABLE.some((document) => document === name);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:(?:\*|\/\/) )?/g, " ");
}

/** This test and its helper contain samples of wrong citations. */
const SAMPLES = /^test\/docs\/citations|\/node_modules\//;
const SOURCES = ["src", "test", "scripts"].flatMap(sourcesIn);
const FILES = [...DOCUMENTS, "SKILL.md", "THIRD-PARTY-NOTICES.md"].map((name) => basename(name));

function sourcesIn(folder: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => /\.(?:ts|js)$/.test(path))
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .filter((path) => !SAMPLES.test(path))
    .sort();
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function sectionsOfDocuments(): Record<string, string[]> {
  const filesOf = (document: string) =>
    DOCUMENTS.filter((name) => name.endsWith(`/${document}.md`) || name.includes(`/${document}/`));
  const sections = CITABLE.map((document) => [document, filesOf(document).map(textOf).flatMap(sectionsIn)]);
  const decisions = DOCUMENTS.flatMap((name) => /\/decisions\/0*(\d+)-/.exec(name)?.[1] ?? []);
  return { ...Object.fromEntries(sections), decision: decisions };
}

test("every citation in sources, tests, and documents leads to a section", () => {
  const sections = sectionsOfDocuments();
  const all = [...SOURCES, ...DOCUMENTS].flatMap((file) =>
    citationsIn(textOf(file)).map((cited) => ({ file, ...cited })),
  );
  expect(all.length).toBeGreaterThan(500);
  const broken = all.filter(({ document, section }) => !sections[document]?.includes(section));
  expect(broken.map(({ file, document, section }) => `${file}: ${document} ${section}`)).toEqual([]);
});

test("no source or test cites a document that is not in the repository", () =>
  expect(
    SOURCES.flatMap((file) => unknownCitationsIn(textOf(file), FILES).map((found) => `${file}: ${found}`)),
  ).toEqual([]));

test("no two sections of a document have the same number", () => {
  const twice = Object.entries(sectionsOfDocuments()).flatMap(([document, sections]) =>
    sections.filter((section, at) => sections.indexOf(section) !== at).map((section) => `${document} ${section}`),
  );
  expect(twice).toEqual([]);
});

test("is a document with a section, or with several", () =>
  expect(citationsIn("Rejected (facts 5.3, 5.7 and 6; interface 4.6).")).toEqual([
    { document: "facts", section: "5.3" },
    { document: "facts", section: "5.7" },
    { document: "facts", section: "6" },
    { document: "interface", section: "4.6" },
  ]));

test("may wrap across the lines of a comment", () =>
  expect(citationsIn("/**\n * Rejected (facts\n * 4.3).\n */")).toEqual([{ document: "facts", section: "4.3" }]));

test("ends before a rule number, which is not a section", () =>
  expect(citationsIn("facts 5.3, rules 2 and 4")).toEqual([{ document: "facts", section: "5.3" }]));

test("leads to a numbered heading", () =>
  expect(sectionsIn("# Facts\n## 5. Transactions\ntext 7\n### 5.3 Requests\n")).toEqual(["5", "5.3"]));

describe("finds a document that is not in the repository", () => {
  test.each([
    ["/** handbook 5.3. */", "/** handbook 5.3"],
    ["// handbook 5: always", "// handbook 5"],
    ["Rejected (handbook M2).", "(handbook M2"],
    ["Rejected (hand-book\n * 16.6), always", "(hand-book 16.6"],
    ["see handbook.md, Updates", "handbook.md"],
    ["see facts.md, Updates", "facts.md"],
    ["see ../private/handbook.md", "../private/handbook.md"],
  ])("in %j", (text, found) => expect(unknownCitationsIn(text, ["facts.md"])).toEqual([found]));

  test.each(["/** facts 5.3. */", "(status 200)", "see docs/facts.md", "f(1), g (2)", "takes 5.3 s"])(
    "not in %j",
    (text) => expect(unknownCitationsIn(text, ["facts.md"])).toEqual([]),
  );
});
