import { visible } from "./escape.ts";
import type { Style } from "./style.ts";
import type { ScreenLine } from "./view.ts";
import { textWidth } from "./width.ts";
import { folded, wrapped } from "./wrap.ts";

const GAP = "  ";
/** Where less is left beside a name, its words begin below it. */
const LEAST_ROOM = 24;

/**
 * A screen of lines in three columns: labels, names, and words that are wrapped under themselves. A name is never cut; of
 * names alone there are as many as fit.
 */
export function screenText(lines: readonly ScreenLine[], width: number, style: Style): string {
  const label = widest(lines.map((line) => line.label.text)) + GAP.length;
  const name = widest(lines.map((line) => ("name" in line ? line.name : ""))) + GAP.length;
  const isNarrow = width - label - name < LEAST_ROOM;
  const indent = isNarrow ? label : label + name;
  const newLine = `\n${" ".repeat(indent)}`;
  const textOf = (line: ScreenLine) => {
    if ("names" in line) return folded(line.names.map(visible), width - label);
    const words = wrapped(visible(line.words), width - indent).join(newLine);
    return isNarrow ? visible(line.name) + newLine + words : padded(visible(line.name), name) + words;
  };
  return lines
    .map((line) => {
      const shown = visible(line.label.text);
      const start = style.cell({ ...line.label, text: shown }) + padded("", label - textWidth(shown));
      return `${(start + textOf(line)).trimEnd()}\n`;
    })
    .join("");
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(visible(text))), 0);
}

function padded(text: string, width: number): string {
  return text + " ".repeat(width - textWidth(text));
}
