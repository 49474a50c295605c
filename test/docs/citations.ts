/** A section of a document, as a comment or a text cites it: `facts 5.3`. */
export interface Citation {
  document: string;
  section: string;
}

/** The documents that can be cited. */
export const CITABLE = ["interface", "facts", "promises", "decision"] as const;

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
export function citationsIn(text: string): Citation[] {
  return [...onOneLine(text).matchAll(CITATION)].flatMap(([, document = "", sections = ""]) =>
    sections.split(AND).map((section) => ({ document, section })),
  );
}

/**
 * Returns what looks like a citation of an unknown document: `(handbook 5.3)`, `handbook.md`. @param files known names
 */
export function unknownCitationsIn(text: string, files: readonly string[]): string[] {
  const line = onOneLine(text);
  const named = [...line.matchAll(NAMED)].filter(([, name = ""]) => !(isCitable(name) || ORDINARY.includes(name)));
  const linked = [...line.matchAll(FILE)].filter(([path]) => !isFileOf(path, files));
  return [...named, ...linked].map(([found]) => found);
}

/** Returns the citable sections of a Markdown text: the numbers of its headings. */
export function sectionsIn(markdown: string): string[] {
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
