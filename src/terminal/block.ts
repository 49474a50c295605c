import { visible } from "./escape.ts";
import type { Style } from "./style.ts";
import type { BlockLine } from "./view.ts";
import { textWidth } from "./width.ts";

const GAP = 4;
const INDENT = "  ";

/** The `label  value` block of one thing. Values of a group are aligned among themselves. */
export function blockText(lines: readonly BlockLine[], style: Style): string {
  const outer = labelWidth(lines.filter((line) => !line.indent));
  const inner = labelWidth(lines.filter((line) => line.indent));
  return lines.map((line) => blockLine(line, line.indent ? inner : outer, style)).join("");
}

function labelWidth(lines: readonly BlockLine[]): number {
  return Math.max(0, ...lines.map(({ label }) => textWidth(visible(label)))) + GAP;
}

function blockLine({ label, value, indent }: BlockLine, width: number, style: Style): string {
  const shown = visible(label);
  const gap = " ".repeat(width - textWidth(shown));
  const text = visible(value.text);
  const start = `${indent ? INDENT : ""}${shown && style.faint(shown)}`;
  return text === "" ? `${start}\n` : `${start}${gap}${style.cell({ ...value, text })}\n`;
}
