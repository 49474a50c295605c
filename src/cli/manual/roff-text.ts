/** Escapes a line of text; a line that starts with a dot or a quote would be a roff request. */
export function textLine(text: string): string {
  const line = escaped(text);
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/** Returns one argument of a roff request. */
export function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '""')}"`;
}

/** Escapes text for roff: otherwise a hyphen or a backtick becomes a typographic character that cannot be pasted. */
export function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/[^\x20-\x7e]|`/gu, (character) => `\\[u${hexOf(character)}]`);
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
