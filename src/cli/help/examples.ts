const INDENT = "  ";

/** Command lines under their heading. */
export function examplesBlock(examples: readonly string[], width: number): string {
  return ["Examples", ...examples.map((example) => exampleLines(example, width))].join("\n");
}

/** An example that can be pasted, broken before its flags where it is too long for one line. */
function exampleLines(example: string, width: number): string {
  const most = width - INDENT.length - " \\".length;
  if (example.length <= most) return INDENT + example;
  const lines: string[] = [];
  for (const part of example.split(/ (?=--)/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${part}`.length <= most) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(last === undefined ? part : `${INDENT}${part}`);
  }
  return INDENT + lines.join(` \\\n${INDENT}`);
}
