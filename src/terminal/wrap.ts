import { grouped } from "../contract/decimal.ts";
import { textWidth, widthUpTo } from "./width.ts";

/**
 * Returns the parts of a text between which a line may end: its words, with each command as one part, since it must be
 * possible to paste it. A command begins with the variables that it is run with, and ends with the text, with a backtick, or
 * with a comma or semicolon outside of quotes.
 */
function partsOf(text: string): string[] {
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
  // Quotes match in one way alone, so that no text of a service takes long.
  const command = /(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|[^ '"])+ )*relayctl /y;
  command.lastIndex = start;
  if (command.test(text)) return endOfCommand(text, start);
  const quoted = text.startsWith("`relayctl ", start) ? text.indexOf("`", start + 1) : start;
  const end = quoted < 0 ? -1 : text.indexOf(" ", quoted);
  return end < 0 ? text.length : end;
}

function endOfCommand(text: string, start: number): number {
  const shellWord = / *((?:'[^']*'|"[^"]*"|[^ ])+)/y;
  shellWord.lastIndex = start;
  for (let found = shellWord.exec(text); found; found = shellWord.exec(text))
    if (/[;,]$/.test(found[1] ?? "")) return shellWord.lastIndex;
  return text.length;
}

/** Wraps a text to lines of at most this width. A wider word, and a command, gets a separate line and is never broken. */
export function wrapped(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  let line = "";
  let room = 0;
  for (const part of partsOf(text)) {
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

/** Returns as many whole names as fit on one line, and how many more: `base-hot, eth-main-1, and 398 more`. */
export function folded(names: readonly string[], width: number): string {
  const all = names.join(", ");
  if (width === Number.POSITIVE_INFINITY || widthUpTo(all, width + 1) <= width) return all;
  let [shown, room, fitting] = [0, width, 0];
  while (room >= 0 && shown < names.length - 1) {
    room -= widthUpTo(names[shown] ?? "", room + 1) + (shown > 0 ? ", ".length : 0);
    shown++;
    if (more(names.length - shown).length <= room) fitting = shown;
  }
  return fitting === 0
    ? `${grouped(names.length)} in all`
    : names.slice(0, fitting).join(", ") + more(names.length - fitting);
}

function more(count: number): string {
  return `, and ${grouped(count)} more`;
}
