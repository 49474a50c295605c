import { visible } from "../../../terminal/escape.ts";

/** Returns a text as code that a row of a table can have: it can neither end the cell nor mention a user. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown.trim() === "") return "–";
  return /^[^`|\\]+$/.test(shown) && shown.trim() === shown ? `\`${shown}\`` : htmlCode(shown);
}

/** Returns a text as code for HTML, in which no character has a meaning, for HTML or for Markdown. */
export function htmlCode(text: string): string {
  const escaped = visible(text).replace(/[^A-Za-z0-9 ,-]/gu, (character) => `&#${character.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** Returns a sentence as it is if nothing in it has a meaning for Markdown or GitHub, otherwise as code. */
export function prose(text: string): string {
  const isPlain = /^[A-Za-z0-9 ,.;:()'%→_-]+$/.test(text) && !MEANING.test(text);
  return isPlain ? text : code(text);
}

/** An underscore that is not inside a word, a host name, an issue, and a name of an emoji. */
const MEANING = /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|www\.|GH-|:[\w+-]+:/i;

export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(header), row(header.map(() => "---")), ...rows.map(row)].join("");
}

/** Returns a part that a reader opens. @param summary HTML */
export function details(summary: string, content: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${summary}</summary>\n\n${content}\n</details>\n\n`;
}
