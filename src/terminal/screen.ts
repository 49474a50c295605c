import { visible } from "./escape.ts";
import { factsWriter } from "./facts.ts";
import type { Style } from "./style.ts";
import { columnWidth, padded, spacesAfter } from "./text/padded.ts";
import type { ScreenLine } from "./view.ts";
import { folded, wrapped } from "./wrap.ts";

const GAP = "  ";
/** If less room is left next to a name, its text starts on the next line. */
const LEAST_ROOM = 24;

/**
 * Returns a screen of lines in columns: labels, names, and wrapped texts, with facts below them. A name is never cut;
 * of names alone as many as fit are shown.
 */
export function screenText(lines: readonly ScreenLine[], width: number, style: Style): string {
  const entries = lines.filter((line) => "name" in line);
  const label = columnWidth(lines.map((line) => visible(line.label.text)));
  const name = columnWidth(entries.map((entry) => visible(entry.name)));
  const afterLabel = label + GAP.length;
  const isNarrow = width - afterLabel - name - GAP.length < LEAST_ROOM;
  const indent = isNarrow ? afterLabel : afterLabel + name + GAP.length;
  const newLine = `\n${" ".repeat(indent)}`;
  const factLines = factsWriter(
    entries.map(({ facts = [] }) => facts),
    width - indent,
  );
  const textOf = (line: ScreenLine) => {
    if ("names" in line) return folded(line.names.map(visible), width - afterLabel);
    const wordLines = line.words.flatMap((text) => wrapped(visible(text), width - indent));
    const said = [...wordLines, ...factLines(line.facts ?? [])];
    const shown = visible(line.name);
    return isNarrow ? [shown, ...said].join(newLine) : padded(shown, name) + GAP + said.join(newLine);
  };
  return lines
    .map((line) => {
      const shown = visible(line.label.text);
      const start = style.cell({ ...line.label, text: shown }) + spacesAfter(shown, label) + GAP;
      return `${(start + textOf(line)).trimEnd()}\n`;
    })
    .join("");
}
