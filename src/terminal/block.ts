import { visible } from "./escape.ts";
import type { Style } from "./style.ts";
import { cut } from "./text/cut.ts";
import type { BlockLine } from "./view.ts";
import { columnWidth, spacesAfter, WIDEST } from "./width.ts";

const GAP = " ".repeat(4);
const INDENT = "  ";

/**
 * Returns the `label value` block of one resource. Values of a group are aligned with each other. Long labels are cut,
 * values never.
 */
export function blockText(lines: readonly BlockLine[], style: Style): string {
  const labels = lines.map(({ label }) => cut(label, WIDEST));
  const outer = columnWidth(labels.filter((_, index) => !lines[index]?.indent));
  const inner = columnWidth(labels.filter((_, index) => lines[index]?.indent));
  return lines.map((line, index) => blockLine(line, labels[index] ?? "", line.indent ? inner : outer, style)).join("");
}

function blockLine({ value, indent }: BlockLine, label: string, width: number, style: Style): string {
  const text = visible(value.text);
  const start = `${indent ? INDENT : ""}${label && style.faint(label)}`;
  return text === "" ? `${start}\n` : `${start}${spacesAfter(label, width)}${GAP}${style.cell({ ...value, text })}\n`;
}
