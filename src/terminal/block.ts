import { escapeText } from "./escape.ts";
import type { Style } from "./style.ts";
import { cutText } from "./text/cut.ts";
import type { BlockLine } from "./view.ts";
import { columnWidth, spacesToWidth, WIDEST } from "./width.ts";
import { wrapLabeledLines } from "./wrap.ts";

const GAP = " ".repeat(4);
const INDENT = "  ";

/** Returns the aligned `label value` block of a resource. Long labels are cut; values wrap between words. */
export function blockText(lines: readonly BlockLine[], style: Style, screen = Number.POSITIVE_INFINITY): string {
  const labels = lines.map(({ label }) => cutText(label, WIDEST));
  const outer = columnWidth(labels.filter((_, index) => !lines[index]?.indent));
  const inner = columnWidth(labels.filter((_, index) => lines[index]?.indent));
  const blockLine = ({ value, indent }: BlockLine, index: number) => {
    const label = labels[index] ?? "";
    const [lead, width] = indent ? [INDENT, inner] : ["", outer];
    const text = escapeText(value.text);
    const start = `${lead}${label && style.faint(label)}`;
    if (text === "") return `${start}\n`;
    const head = start + spacesToWidth(label, width) + GAP;
    const draw = (shown: string) => style.cell({ ...value, text: shown });
    const place = { head, indent: lead.length + width + GAP.length, columns: screen, draw };
    return `${wrapLabeledLines(text, place).join("\n")}\n`;
  };
  return lines.map(blockLine).join("");
}
