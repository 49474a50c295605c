import { isOutcome, type Label, leadText, type Message, type ReceiptOutcome, readMessage } from "../message.ts";
import { visible } from "./escape.ts";
import type { Style } from "./style.ts";
import { SIGNS } from "./view.ts";
import { spacesAfter, textWidth, widthUpTo } from "./width.ts";
import { labeledLines, packed } from "./wrap.ts";

export interface MessageTerminal {
  columns: number;
  style: Style;
  /** The name of a protected context, which stands out. */
  context?: string | undefined;
  strong?: RegExp | undefined;
}

/** The labels of what a line says. The others are of commands, which a terminal shows in columns. */
const ALERTS: readonly Label[] = ["error", "warning", "note", "hint"];
const INDENT = "  ";
const LABEL = 6;
const GAP = "   ";
const LABELS = LABEL + GAP.length;
/** A table's row: a label, and text that hangs below its first column. */
const ROW = /^( *)(\S+(?: \S+)*)( {2,})(?=\S)/;

/** Returns a message as a terminal shows it: escaped, wrapped with a hanging indent, and colored. */
export function drawnMessage(message: Message, terminal: MessageTerminal): string {
  if (isOutcome(message)) return outcomeText(message, terminal);
  const { label, text: line } = readMessage(message);
  const text = shortened(line);
  if (label !== undefined && !ALERTS.includes(label)) return labeledText(label, text, terminal);
  if (label !== undefined) {
    const lead = { text: `${coloredLead(label, terminal.style)} `, width: leadText(label).length + 1 };
    return hanging(lead, text, lead.width, terminal);
  }
  if (typeof message === "object" && !text.startsWith(" ")) return drawnMessage(INDENT + line, terminal);
  const row = rowText(text, terminal);
  if (row !== undefined) return row;
  const spaces = /^ */.exec(text)?.[0] ?? "";
  const lead = { text: spaces, width: spaces.length };
  return hanging(lead, text.slice(spaces.length), spaces.length + INDENT.length, terminal);
}

function outcomeText(
  { done, cells = [done], startsWithId, facts = [] }: ReceiptOutcome,
  terminal: MessageTerminal,
): string {
  const sign = { text: `${terminal.style.cell({ text: SIGNS.good, tone: "good" })} `, width: 2 };
  const below = facts.map(([label, value]) => labeledText(label, shortened(value), terminal));
  const drawing = { ...terminal, strong: startsWithId ? RESOURCE : TRANSACTION };
  return cellsText(sign, packed(cells.map(shortened), GAP, terminal.columns - sign.width), drawing) + below.join("");
}

function rowText(text: string, terminal: MessageTerminal): string | undefined {
  const [row = "", start = "", name = "", gap = ""] = ROW.exec(text) ?? [];
  if (name === "" || row.length > terminal.columns / 2) return undefined;
  const lead = { text: start + terminal.style.faint(name) + gap, width: textWidth(row) };
  const found = [...text.slice(row.length).matchAll(/( {2,}|^)((?:\S| (?! ))+)/g)];
  const [gaps, cells] = [1, 2].map((part) => found.map((match) => match[part] ?? "")) as [string[], string[]];
  const lines = packed(cells, gaps, terminal.columns - lead.width);
  return cellsText(lead, lines, DECISIVE.includes(name) ? { ...terminal, strong: WHOLE } : terminal);
}

/** The rows of a card with an amount or its receiver, whose first cell is bold. */
const DECISIVE: readonly string[] = ["to", "amount", "value", "sum"];
const WHOLE = /^.+$/;
const RESOURCE = /^\S+(?= in \S+(?: {3}|$))/;
const TRANSACTION = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/;

/** Returns a line as a pipe with color shows it, with its first word colored. */
export function coloredLine(message: Message, style: Style): string {
  const { label, text } = readMessage(message);
  return label === undefined ? visible(text) : `${coloredLead(label, style)} ${visible(text)}`;
}

/** A run's ID, whose first digits are enough for commands. */
const RUN = /(?<=\b(?:run|undo|history show) [0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

function shortened(line: string): string {
  return visible(line).replace(RUN, "");
}

interface Lead {
  text: string;
  width: number;
}

function cellsText(lead: Lead, lines: readonly string[], terminal: MessageTerminal): string {
  const below = { text: " ".repeat(lead.width), width: lead.width };
  return lines.map((line, index) => hanging(index === 0 ? lead : below, line, lead.width, terminal)).join("");
}

function coloredLead(label: Label, style: Style): string {
  const lead = leadText(label);
  if (label === "error") return style.alarm(lead);
  return label === "warning" ? style.cell({ text: lead, tone: "warn" }) : style.faint(lead);
}

function labeledText(label: string, value: string, terminal: MessageTerminal): string {
  const lead = INDENT + terminal.style.faint(label) + spacesAfter(label, LABELS);
  const width = INDENT.length + LABELS;
  return hanging({ text: lead, width }, value, width, terminal);
}

function hanging(lead: Lead, text: string, indent: number, terminal: MessageTerminal): string {
  const { columns, style, context, strong } = terminal;
  const shown = (line: string) =>
    withContext(strong ? line.replace(strong, (found) => style.strong(found)) : line, context, style);
  if (lead.width + widthUpTo(text, columns + 1) <= columns) return `${lead.text}${shown(text)}\n`;
  return `${labeledLines(text, { head: lead.text, indent, columns, draw: shown }).join("\n")}\n`;
}

/** Returns the text with the name of a protected context in inverse video where it follows `in`. */
export function withContext(text: string, context: string | undefined, style: Style): string {
  if (context === undefined) return text;
  const name = visible(context);
  const at = ` ${text}`.indexOf(` in ${name}`);
  const end = at + "in ".length + name.length;
  if (at < 0 || /[\w-]/.test(text[end] ?? "")) return text;
  return text.slice(0, at + "in ".length) + style.inverse(name) + text.slice(end);
}
