import { textWidth } from "./width.ts";

/** Words on lines of at most this width; a word that is wider has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** As many names as fit on one line, whole, and how many more there are: `base-hot, eth-main-1, and 398 more`. */
export function folded(names: readonly string[], width: number): string {
  const all = names.join(", ");
  if (textWidth(all) <= width) return all;
  for (let count = Math.min(names.length - 1, width); count > 0; count--) {
    const some = `${names.slice(0, count).join(", ")}, and ${names.length - count} more`;
    if (textWidth(some) <= width) return some;
  }
  return `${names.length} in all`;
}
