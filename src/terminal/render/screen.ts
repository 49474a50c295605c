import { visible } from "../escape.ts";
import type { ScreenLine } from "../screen-line.ts";
import { SIGNS } from "../signs.ts";
import type { Style } from "../style.ts";
import { NO_SIGN } from "../table/fixed.ts";
import { columnWidth, padded, spacesAfter, textWidth, widthUpTo } from "../width.ts";
import { continuedCommand, folded, wrapped } from "../wrap.ts";

const GAP = "  ";
/** If less room is left next to a name, its text starts on the next line. */
const LEAST_ROOM = 32;

/** Returns a screen in columns: labels, names, wrapped texts, facts. A name is never cut. */
export function screenText(lines: readonly ScreenLine[], width: number, style: Style): string {
  const entries = lines.filter((line) => "name" in line);
  const label = columnWidth(lines.map((line) => visible(line.label.text)));
  const name = columnWidth(entries.map((entry) => visible(entry.name)));
  const hasMarks = lines.some(({ isMarked }) => isMarked !== undefined);
  const mark = style.cell({ text: SIGNS.changed, tone: "warn" });
  const afterLabel = label + GAP.length + (hasMarks ? NO_SIGN.length : 0);
  const isNarrow = width - afterLabel - name - GAP.length < LEAST_ROOM;
  const indent = isNarrow ? afterLabel : afterLabel + name + GAP.length;
  // What is too wide for its column, such as a hash, begins a line, so that the terminal does not break it.
  const below = (text: string) => {
    if (textWidth(text) <= width - indent) return `\n${" ".repeat(indent)}${text}`;
    const lines = continuedCommand(text, width - GAP.length) ?? [text];
    return lines.map((line) => `\n${GAP}${line}`).join("");
  };
  const factLines = factsWriter(
    entries.map(({ facts = [] }) => facts),
    width - indent,
  );
  const formatText = (line: ScreenLine) => {
    if ("names" in line) return folded(line.names.map(visible), width - afterLabel);
    const wordLines = line.words.flatMap((text) => wrapped(visible(text), width - indent));
    const said = [...wordLines, ...factLines(line.facts ?? [])];
    const shown = visible(line.name);
    const [first = "", ...rest] = isNarrow ? [shown, ...said] : said;
    return (isNarrow ? first : padded(shown, name) + GAP + first) + rest.map(below).join("");
  };
  return lines
    .map((line) => {
      const shown = visible(line.label.text);
      const sign = hasMarks ? (line.isMarked ? `${mark} ` : NO_SIGN) : "";
      const start = sign + style.cell({ ...line.label, text: shown }) + spacesAfter(shown, label) + GAP;
      return `${(start + formatText(line)).trimEnd()}\n`;
    })
    .join("");
}

/**
 * Returns a function that writes the facts of several entries: in columns if all of them fit into the width, otherwise
 * each wrapped like words. Columns are right-aligned except the last, which may be ragged.
 */
function factsWriter(all: readonly (readonly string[])[], width: number): (facts: readonly string[]) => string[] {
  const shown = all.map((facts) => facts.map(visible));
  const most = shown.reduce((count, facts) => Math.max(count, facts.length - 1), 0);
  const widths = Array.from({ length: most }, (_, at) => columnWidth(shown.map((facts) => facts[at] ?? "")));
  const aligned = (facts: readonly string[]) =>
    facts.map((fact, at) => spacesAfter(fact, widths[at] ?? 0) + fact).join(GAP);
  const fits = (text: string) => width === Number.POSITIVE_INFINITY || widthUpTo(text, width + 1) <= width;
  if (shown.every((facts) => fits(aligned(facts)))) return (facts) => listLines(aligned(facts.map(visible)));
  return (facts) => listLines(facts.map(visible).filter(Boolean).join(", ")).flatMap((line) => wrapped(line, width));
}

function listLines(text: string): string[] {
  return text.trim() === "" ? [] : [text.trimEnd()];
}
