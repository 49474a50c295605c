import {
  isMessageRow,
  isOutcome,
  type Label,
  type Message,
  messageLead,
  type ReceiptOutcome,
  type Row,
  readMessage,
} from "../message.ts";
import { escapeText } from "./escape.ts";
import type { Style } from "./style.ts";
import { SIGNS } from "./view.ts";
import { spacesToWidth, textWidth, widthUpTo } from "./width.ts";
import { wrapLabeledLines, wrapPacked } from "./wrap.ts";

export interface MessageTerminal {
  columns: number;
  style: Style;
  /** The name of a protected context, which stands out. */
  context?: string | undefined;
  isStrong?: boolean;
}

/** The labels of what a line says. The others are of commands, which a terminal shows in columns. */
const ALERTS: readonly Label[] = ["error", "warning", "note", "hint"];
const INDENT = "  ";
const LABEL = 6;
const GAP = "   ";
const LABELS = LABEL + GAP.length;

/** Returns a message as a terminal shows it: escaped, wrapped with a hanging indent, and colored. */
export function drawnMessage(message: Message, terminal: MessageTerminal): string {
  if (isOutcome(message)) return outcomeText(message, terminal);
  if (isMessageRow(message)) return rowText(message, terminal);
  const { label, text: line } = readMessage(message);
  const text = shortenLine(line);
  if (label !== undefined && !ALERTS.includes(label)) return labeledText(label, text, terminal);
  if (label !== undefined) {
    const lead = { text: `${coloredLead(label, terminal.style)} `, width: messageLead(label).length + 1 };
    return hangText(lead, text, lead.width, terminal);
  }
  if (typeof message === "object" && "detail" in message && !text.startsWith(" "))
    return drawnMessage(INDENT + line, terminal);
  const spaces = /^ */.exec(text)?.[0] ?? "";
  const lead = { text: spaces, width: spaces.length };
  return hangText(lead, text.slice(spaces.length), spaces.length + INDENT.length, terminal);
}

function outcomeText({ done, cells = [done], id, facts = [] }: ReceiptOutcome, terminal: MessageTerminal): string {
  const { style, columns } = terminal;
  const sign = style.cell({ text: SIGNS.good, tone: "good" });
  const text = cellsText({ text: "", width: 2 }, wrapPacked(cells.map(shortenLine), GAP, columns - 2), terminal);
  const named = id === undefined ? text : text.replace(escapeText(id), (found) => style.strong(found));
  return `${sign} ${named}${facts.map(([label, value]) => labeledText(label, shortenLine(value), terminal)).join("")}`;
}

/** Returns a row with a label and cells, which stand below each other where they do not fit. */
function rowText({ row }: Row, terminal: MessageTerminal): string {
  const [start = "", label = "", gap = "", ...cells] = row.map(shortenLine);
  const head = start + label + gap;
  if (cells.length === 0 || head.length > terminal.columns / 2) return drawnMessage(row.join(""), terminal);
  const lead = { text: start + terminal.style.faint(label) + gap, width: textWidth(head) };
  const [texts, gaps] = [0, 1].map((odd) => cells.filter((_, index) => index % 2 === odd)) as [string[], string[]];
  const lines = wrapPacked(texts, ["", ...gaps], terminal.columns - lead.width);
  return cellsText(lead, lines, { ...terminal, isStrong: DECISIVE.includes(label) });
}

/** The rows of a card with an amount or its receiver, whose cells are bold. */
const DECISIVE: readonly string[] = ["to", "amount", "value", "sum"];

/** Returns a line as a pipe with color shows it, with its first word colored. */
export function coloredMessage(message: Message, style: Style): string {
  const { label, text } = readMessage(message);
  return label === undefined ? escapeText(text) : `${coloredLead(label, style)} ${escapeText(text)}`;
}

/** A run's ID, whose first digits are enough for commands. */
const RUN = /(?<=\b(?:run|undo|history show) [0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

function shortenLine(line: string): string {
  return escapeText(line).replace(RUN, "");
}

interface Lead {
  text: string;
  width: number;
}

function cellsText(lead: Lead, lines: readonly string[], terminal: MessageTerminal): string {
  const below = { text: " ".repeat(lead.width), width: lead.width };
  return lines.map((line, index) => hangText(index === 0 ? lead : below, line, lead.width, terminal)).join("");
}

function coloredLead(label: Label, style: Style): string {
  const lead = messageLead(label);
  if (label === "error") return style.alarm(lead);
  return label === "warning" ? style.cell({ text: lead, tone: "warn" }) : style.faint(lead);
}

function labeledText(label: string, value: string, terminal: MessageTerminal): string {
  const lead = INDENT + terminal.style.faint(label) + spacesToWidth(label, LABELS);
  const width = INDENT.length + LABELS;
  return hangText({ text: lead, width }, value, width, terminal);
}

function hangText(lead: Lead, text: string, indent: number, terminal: MessageTerminal): string {
  const { columns, style, context, isStrong } = terminal;
  const shown = (line: string) => messageWithContext(isStrong ? style.strong(line) : line, context, style);
  if (lead.width + widthUpTo(text, columns + 1) <= columns) return `${lead.text}${shown(text)}\n`;
  return `${wrapLabeledLines(text, { head: lead.text, indent, columns, draw: shown }).join("\n")}\n`;
}

/** Returns the text with the name of a protected context in inverse video where it follows `in`. */
export function messageWithContext(text: string, context: string | undefined, style: Style): string {
  if (context === undefined) return text;
  const name = escapeText(context);
  const at = ` ${text}`.indexOf(` in ${name}`);
  const end = at + "in ".length + name.length;
  if (at < 0 || /[\w-]/.test(text[end] ?? "")) return text;
  return text.slice(0, at + "in ".length) + style.inverse(name) + text.slice(end);
}
