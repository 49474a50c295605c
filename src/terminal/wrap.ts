import { groupDigits } from "../contract/decimal.ts";
import { textWidth, widthUpTo } from "./width.ts";

/**
 * Returns the parts of a text between which a line may end: words, amounts with units, and whole commands, to be pasted. A command begins with its
 * variables, and ends with the text, a backtick, or an unquoted comma or semicolon.
 */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const end = endOfPart(text, start);
    parts.push(text.slice(start, end));
    start = end + 1;
  }
  return parts;
}

function endOfPart(text: string, start: number): number {
  if (startsCommand(text, start)) return endOfCommand(text, start);
  const quoted = text.startsWith("`relayctl ", start)
    ? text.indexOf("`", start + 1)
    : start + amountLength(text, start);
  const end = quoted < 0 ? -1 : text.indexOf(" ", quoted);
  return end < 0 ? text.length : end;
}

function amountLength(text: string, start: number): number {
  const amount = /[^\w ]*\d[\d.,^-]* (?=(?:m?s|min|h|g?wei|lamports?|stroops?|[a-z]*[A-Z]{2}[\w.]*)(?![\w-]))/y;
  amount.lastIndex = start;
  return amount.exec(text)?.[0].length ?? 0;
}

const SHELL_WORD = /(?:\\.|'[^']*'|"[^"]*"|[^ ])+/.source;

function startsCommand(text: string, start: number): boolean {
  // Quotes match in only one way, so that no text of a service takes long.
  const command = /(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|[^ '"])+ )*relayctl /y;
  command.lastIndex = start;
  return command.test(text);
}

function endOfCommand(text: string, start: number): number {
  const shellWord = new RegExp(` *(${SHELL_WORD})`, "y");
  shellWord.lastIndex = start;
  for (let found = shellWord.exec(text); found; found = shellWord.exec(text))
    if (/[;,]$/.test(found[1] ?? "")) return shellWord.lastIndex;
  return text.length;
}

/** Wraps a text to this width. A wider word or a command gets a separate, unbroken line. */
export function wrapText(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  let line = "";
  let room = 0;
  for (const part of splitParts(text)) {
    const taken = textWidth(part);
    const isBullet = /^[-+]$/.test(line) && taken + 2 > width;
    if (line !== "" && taken + 1 > room && !isBullet) {
      lines.push(line.trimEnd());
      line = "";
    }
    room = line === "" ? width - taken : room - taken - 1;
    line = line === "" ? part : `${line} ${part}`;
  }
  return [...lines, line];
}

/** Joins texts on as few lines as they fit on. A wider text gets a separate line. @param joints before each, or all */
export function wrapPacked(texts: readonly string[], joints: string | readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [index, text] of texts.entries()) {
    const longer = `${lines.at(-1)}${typeof joints === "string" ? joints : joints[index]}${text}`;
    if (lines.length > 0 && widthUpTo(longer, width + 1) <= width) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/**
 * Returns the lines of a word or a command that does not fit next to its label. A wider command has several, which end
 * between words with a backslash, so that it can be pasted, and after a flag only if its value does not fit.
 * @returns undefined for any other text
 */
export function wrapSeparateLines(text: string, width: number): string[] | undefined {
  if (!startsCommand(text, 0)) return text.includes(" ") ? undefined : [text];
  if (textWidth(text) <= width) return [text];
  const lines: string[] = [];
  const words = [...text.matchAll(new RegExp(`(?:--?[\\w-]+ (?=[^ -]))?(${SHELL_WORD})`, "g"))].flatMap(
    ([both, last = ""]) =>
      textWidth(both) + INDENT + CONTINUED.length > width && both !== last ? both.split(/ (.*)/, 2) : [both],
  );
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    const isFirst = lines.length === 0;
    if (!isFirst && textWidth(longer) + CONTINUED.length <= width) lines[lines.length - 1] = longer;
    else lines.push(isFirst ? word : " ".repeat(INDENT) + word);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + CONTINUED));
}

const CONTINUED = " \\";
const INDENT = 2;

interface Place {
  head: string;
  indent: number;
  columns: number;
  draw?(line: string): string;
}

/** Returns the lines of a text next to its label, or below it if a word or a command does not fit there. */
export function wrapLabeledLines(text: string, { head, indent, columns, draw = (line) => line }: Place): string[] {
  return wrapText(text, Math.max(1, columns - indent)).flatMap((line, at) => {
    const start = at === 0 ? head : " ".repeat(indent);
    const below = indent + textWidth(line) > columns ? wrapSeparateLines(line, columns - INDENT) : undefined;
    if (!below) return start + draw(line);
    return [...(start.trim() === "" ? [] : [start.trimEnd()]), ...below.map((part) => " ".repeat(INDENT) + draw(part))];
  });
}

/** Returns as many whole names as fit on a line, and the rest's number: `base-hot, eth-main-1, and 398 more`. */
export function wrapFolded(names: readonly string[], width: number): string {
  const all = names.join(", ");
  if (width === Number.POSITIVE_INFINITY || widthUpTo(all, width + 1) <= width) return all;
  let [shown, room, fitting] = [0, width, 0];
  while (room >= 0 && shown < names.length - 1) {
    room -= widthUpTo(names[shown] ?? "", room + 1) + (shown > 0 ? ", ".length : 0);
    shown++;
    if (moreText(names.length - shown).length <= room) fitting = shown;
  }
  return fitting === 0
    ? `${groupDigits(names.length)} in all`
    : names.slice(0, fitting).join(", ") + moreText(names.length - fitting);
}

function moreText(count: number): string {
  return `, and ${groupDigits(count)} more`;
}
