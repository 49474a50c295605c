const INDENT = "  ";

/** Returns a command line that can be pasted, broken before flags if it is too long for one line. */
export function codeLines(line: string, width: number): string {
  const most = width - INDENT.length - " \\".length;
  if (line.length <= most) return INDENT + line;
  const lines: string[] = [];
  for (const part of line.split(/ (?=--)/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${part}`.length <= most) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(last === undefined ? part : `${INDENT}${part}`);
  }
  return INDENT + lines.join(` \\\n${INDENT}`);
}
