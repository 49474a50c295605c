import { readFileSync, writeFileSync } from "node:fs";

/**
 * Replaces what stands in a document between `<!-- NAME: written by npm run NAME -->` and `<!-- end of NAME -->`.
 * @throws when the document has no such place
 */
export function writeSection(document, name, content) {
  writeFileSync(document, withSection(readFileSync(document, "utf8"), name, content));
}

/** The text of a document with another content in that place. */
export function withSection(text, name, content) {
  const begin = `<!-- ${name}: written by npm run ${name} -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = text.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (after === undefined) throw new Error(`there is no place for ${name}: ${begin} … ${end}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}
