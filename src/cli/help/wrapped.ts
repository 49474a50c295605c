/**
 * Text broken at its spaces to fit a width; the lines after the first are set in. Commander could do it, and takes longer
 * to load than all of this.
 */
export function wrapped(text: string, width: number, indent = 0): string {
  const lines = text.split("\n").flatMap((line) => fitted(line, width - indent));
  return lines.join(`\n${" ".repeat(indent)}`);
}

/** Breaks a line into as many lines as needed, keeping its leading spaces. */
function fitted(line: string, width: number): string[] {
  const [first = "", ...words] = line.match(/^ *[^ ]*|[^ ]+/g) ?? [];
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
