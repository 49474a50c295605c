import { changedMessage, isMessageRow } from "../../message.ts";
import { drawnMessage } from "../message.ts";
import { type Printer, printDrawn, printerLabels, printerWidth } from "../printer.ts";
import { createStyle } from "../style.ts";
import type { TextLine } from "../view.ts";

/** Prints lines as messages for the user are printed: wrapped with a hanging indent, with labels in faint color. */
export async function printWrappedLines(lines: readonly TextLine[], out: Printer): Promise<void> {
  const style = await createStyle(out.color);
  const plain = await createStyle(false);
  const columns = printerWidth(out);
  const formatLine = (line: TextLine) => {
    const shown = changedMessage(isMessageRow(line) ? line : line.text, (text) => printerLabels(text, out));
    if (isMessageRow(line) || line.tone === undefined) return drawnMessage(shown, { columns, style });
    const toned = drawnMessage(shown, { columns, style: plain }).trimEnd();
    return `${style.cell({ text: toned, tone: line.tone })}\n`;
  };
  await printDrawn(lines.map(formatLine).join(""), out);
}
