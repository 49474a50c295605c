import { grouped } from "../../contract/decimal.ts";
/** GitHub ignores the summary of a step if it is longer. */
export const LARGEST_SUMMARY = 2 ** 20;
const MOST_LINES = 30;
const MOST_CHARACTERS = 8_000;

/** Returns the part of a step's summary about one run, as Markdown that contains the lines as they are. */
export function summaryText(title: string, lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_LINES).join("\n");
  const cut = shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}…` : shown;
  const more = lines.length > MOST_LINES ? `\n… ${grouped(lines.length - MOST_LINES)} more lines` : "";
  return `### ${escaped(title)}\n\n<pre>\n${escaped(cut + more)}\n</pre>\n\n`;
}

/** Escapes what HTML and Markdown interpret; within `<pre>`, Markdown interprets nothing else. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
