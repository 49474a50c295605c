import { drawnMessage } from "../message.ts";
import { type Printer, printDrawn, tableWidth, withLabels } from "../printer.ts";
import { createStyle } from "../style.ts";
import type { Cell } from "../view.ts";

/** Prints lines as messages for the user are printed: wrapped with a hanging indent, with labels in faint color. */
export async function printLines(lines: readonly Cell[], out: Printer): Promise<void> {
  const style = await createStyle(out.color);
  const plain = await createStyle(false);
  const columns = tableWidth(out);
  const formatLine = ({ text, tone }: Cell) => {
    const shown = withLabels(text, out);
    if (tone === undefined) return drawnMessage(shown, { columns, style });
    const toned = drawnMessage(shown, { columns, style: plain }).trimEnd();
    return `${style.cell({ text: toned, tone })}\n`;
  };
  await printDrawn(lines.map(formatLine).join(""), out);
}
