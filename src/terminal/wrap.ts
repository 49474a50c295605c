import { textWidth, widthUpTo } from "./width.ts";

/** Wraps words to lines of at most this width; a wider word gets a separate line. */
export function wrapped(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  let line = "";
  let room = 0;
  for (const word of text.split(" ")) {
    const taken = textWidth(word);
    if (line !== "" && taken + 1 > room) {
      lines.push(line);
      line = "";
    }
    room = line === "" ? width - taken : room - taken - 1;
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/**
 * Returns as many whole names as fit on one line, and the number of the others: `base-hot, eth-main-1, and 398 more`.
 */
export function folded(names: readonly string[], width: number): string {
  const all = names.join(", ");
  if (width === Number.POSITIVE_INFINITY || widthUpTo(all, width + 1) <= width) return all;
  let [shown, room, fitting] = [0, width, 0];
  while (room >= 0 && shown < names.length - 1) {
    room -= widthUpTo(names[shown] ?? "", room + 1) + (shown > 0 ? ", ".length : 0);
    shown++;
    if (more(names.length - shown).length <= room) fitting = shown;
  }
  return fitting === 0 ? `${names.length} in all` : names.slice(0, fitting).join(", ") + more(names.length - fitting);
}

function more(count: number): string {
  return `, and ${count} more`;
}
