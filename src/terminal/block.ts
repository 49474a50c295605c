import { visible } from "./escape.ts";
import type { Style } from "./style.ts";
import { cut } from "./text/cut.ts";
import type { BlockLine } from "./view.ts";
import { columnWidth, spacesAfter, WIDEST } from "./width.ts";
import { labeledLines } from "./wrap.ts";

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
    const head = start + spacesAfter(label, width) + GAP;
    const draw = (shown: string) => style.cell({ ...value, text: shown });
    const place = { head, indent: lead.length + width + GAP.length, columns: screen, draw };
    return `${labeledLines(text, place).join("\n")}\n`;
  };
  return lines.map(blockLine).join("");
}
