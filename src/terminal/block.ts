import { visible } from "./escape.ts";
import type { Style } from "./style.ts";
import { cut } from "./text/cut.ts";
import type { BlockLine } from "./view.ts";
import { columnWidth, spacesAfter, textWidth, WIDEST } from "./width.ts";
import { separateLines, wrapped } from "./wrap.ts";

const GAP = " ".repeat(4);
const INDENT = "  ";

/** Returns the aligned `label value` block of a resource. Long labels are cut; values wrap between words. */
export function blockText(lines: readonly BlockLine[], style: Style, screen = Number.POSITIVE_INFINITY): string {
  const labels = lines.map(({ label }) => cut(label, WIDEST));
  const outer = columnWidth(labels.filter((_, index) => !lines[index]?.indent));
  const inner = columnWidth(labels.filter((_, index) => lines[index]?.indent));
  const blockLine = ({ value, indent }: BlockLine, index: number) => {
    const label = labels[index] ?? "";
    const [lead, width] = indent ? [INDENT, inner] : ["", outer];
    const text = visible(value.text);
    const start = `${lead}${label && style.faint(label)}`;
    if (text === "") return `${start}\n`;
    const before = lead.length + width + GAP.length;
    const parts = wrapped(text, screen - before).map((part, at) => {
      const cell = (shown: string) => style.cell({ ...value, text: shown });
      const lines = textWidth(part) > screen - before ? separateLines(part, screen - INDENT.length) : undefined;
      if (!lines) return (at === 0 ? spacesAfter(label, width) + GAP : `\n${" ".repeat(before)}`) + cell(part);
      return lines.map((line) => `\n${INDENT}${cell(line)}`).join("");
    });
    return `${start}${parts.join("")}\n`;
  };
  return lines.map(blockLine).join("");
}
