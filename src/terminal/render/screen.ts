import { escapeText } from "../escape.ts";
import { type Printer, printDrawn, printerLabels, printerWidth } from "../printer.ts";
import { createStyle, type Style } from "../style.ts";
import { NO_SIGN } from "../table/fixed.ts";
import { type ScreenLine, SIGNS } from "../view.ts";
import { columnWidth, padToWidth, spacesToWidth, textWidth, widthUpTo } from "../width.ts";
import { wrapFolded, wrapLabeledLines, wrapPacked, wrapSeparateLines, wrapText } from "../wrap.ts";

const GAP = "  ";
const LEAST_ROOM = 32;

export async function printScreen(lines: readonly ScreenLine[], out: Printer): Promise<void> {
  const { isTerminal } = out.stdout;
  const shown = lines.map((line) =>
    "words" in line && isTerminal ? { ...line, words: line.words.map((text) => printerLabels(text, out)) } : line,
  );
  const text = screenText(shown, printerWidth(out), await createStyle(out.color), isTerminal && !out.isPlain);
  await printDrawn(text, out);
}

/** Returns a screen in columns: labels, or their signs, then names, wrapped texts, and facts. A name is never cut. */
export function screenText(lines: readonly ScreenLine[], width: number, style: Style, hasSigns = false): string {
  const labeled = lines.filter((line) => "label" in line);
  const entries = labeled.filter((line) => "name" in line);
  const formatLabel = ({ label: { sign, text, keepsText } }: (typeof labeled)[number]) => {
    if (!hasSigns || !sign) return escapeText(text);
    return keepsText ? `${SIGNS[sign]} ${escapeText(text)}` : SIGNS[sign];
  };
  const label = columnWidth(labeled.map(formatLabel));
  const gap = label === 1 ? " " : GAP;
  const name = columnWidth(entries.map((entry) => escapeText(entry.name)));
  const hasMarks = labeled.some(({ isMarked }) => isMarked !== undefined);
  const mark = style.cell({ text: SIGNS.changed, tone: "warn" });
  const afterLabel = label + gap.length + (hasMarks ? NO_SIGN.length : 0);
  const isNarrow = width - afterLabel - name - GAP.length < LEAST_ROOM;
  const indent = isNarrow ? afterLabel : afterLabel + name + GAP.length;
  // A text that is too wide, such as a hash, begins a line, so that the terminal does not break it.
  const begin = (text: string) => {
    if (textWidth(text) <= width - indent) return `\n${" ".repeat(indent)}${text}`;
    const lines = wrapSeparateLines(text, width - GAP.length) ?? [text];
    return lines.map((line) => `\n${GAP}${line}`).join("");
  };
  const factLines = factsWriter(
    entries.map(({ facts = [] }) => facts),
    width - indent,
  );
  const formatText = (line: (typeof labeled)[number]) => {
    if ("names" in line) return wrapFolded(line.names.map(escapeText), width - afterLabel);
    const aside = escapeText(line.aside ?? "");
    const wordLines = line.words.flatMap((text, index) =>
      wrappedBeside(escapeText(text), index === 0 ? aside : "", width - indent),
    );
    const said = [...wordLines, ...factLines(line.facts ?? [])];
    const shown = escapeText(line.name);
    const named = textWidth(shown) > width - indent ? begin(shown) : shown;
    const [first = "", ...rest] = isNarrow ? [named, ...said] : said;
    const head = isNarrow ? first : padToWidth(shown, name) + GAP + first;
    const text = (head + rest.map(begin).join("")).trimEnd() + rowsText(line.rows ?? [], width, style);
    return aside === "" ? text : text.replace(aside, () => style.faint(aside));
  };
  return lines
    .map((line) => {
      if ("heading" in line) return `${style.faint(escapeText(line.heading))}\n`;
      const shown = formatLabel(line);
      const sign = hasMarks ? (line.isMarked ? `${mark} ` : NO_SIGN) : "";
      const start = sign + style.cell({ ...line.label, text: shown }) + spacesToWidth(shown, label) + gap;
      return `${(start + formatText(line)).trimEnd()}\n`;
    })
    .join("");
}

/** Returns labeled texts, wrapped next to their labels. A word that does not fit there begins a line, and is never broken. */
function rowsText(rows: readonly (readonly [string, string])[], width: number, style: Style): string {
  const label = columnWidth(rows.map(([name]) => name));
  const indent = 2 * GAP.length + label;
  return rows
    .flatMap(([name, text]) => {
      const head = GAP + style.faint(name) + spacesToWidth(name, label) + GAP;
      return wrapLabeledLines(escapeText(text), { head, indent, columns: width });
    })
    .map((line) => `\n${line}`)
    .join("");
}

function wrappedBeside(text: string, aside: string, width: number): string[] {
  if (aside === "") return wrapText(text, width);
  const room = width - textWidth(aside) - GAP.length;
  if (room < LEAST_ROOM) return [...wrapText(text, width), aside];
  const [first = "", ...others] = wrapText(text, room);
  const gap = Number.isFinite(room) ? spacesToWidth(first, room) + GAP : GAP;
  return [first + gap + aside, ...others];
}

/** Writes right-aligned columns, except the last, or wraps if they don't fit. */
function factsWriter(all: readonly (readonly string[])[], width: number): (facts: readonly string[]) => string[] {
  const shown = all.map((facts) => facts.map(escapeText));
  const most = shown.reduce((count, facts) => Math.max(count, facts.length - 1), 0);
  const widths = Array.from({ length: most }, (_, at) => columnWidth(shown.map((facts) => facts[at] ?? "")));
  const aligned = (facts: readonly string[]) =>
    facts.map((fact, at) => spacesToWidth(fact, widths[at] ?? 0) + fact).join(GAP);
  const fits = (text: string) => width === Number.POSITIVE_INFINITY || widthUpTo(text, width + 1) <= width;
  if (shown.every((facts) => fits(aligned(facts)))) return (facts) => listLines(aligned(facts.map(escapeText)));
  return (facts) =>
    wrapPacked(facts.map(escapeText).filter(Boolean), ", ", width).flatMap((line) => wrapText(line, width));
}

function listLines(text: string): string[] {
  return text.trim() === "" ? [] : [text.trimEnd()];
}
