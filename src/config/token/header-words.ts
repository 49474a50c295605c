const FLAG = "--header";

/** Returns a line's words: `change` gets each literal header, and `other` all other words. */
export function withHeaderValues(
  argv: readonly string[],
  change: (name: string, value: string) => string,
  other = (word: string, _index: number) => word,
): string[] {
  return argv.map((word, index) => {
    const flag = word.startsWith(`${FLAG}=`) ? `${FLAG}=` : "";
    const text = word.slice(flag.length);
    if ((flag === "" && argv[index - 1] !== FLAG) || text.startsWith("@")) return other(word, index);
    const colon = text.indexOf(":");
    return flag + change(text.slice(0, Math.max(colon, 0)).trim(), text.slice(colon + 1).trim());
  });
}

export function headerVariable(name: string): string {
  return `HEADER_${name.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
}

/** Hides the literal headers of a line, even if it can't be parsed. */
export async function hideHeaderWords(argv: readonly string[], secrets: { add(secret: string): void }): Promise<void> {
  if (!argv.some((word) => word.startsWith(FLAG))) return;
  const { secretsOfHeader } = await import("../../contract/header-rules.ts");
  withHeaderValues(argv, (_, value) => {
    for (const secret of secretsOfHeader(value)) secrets.add(secret);
    return "";
  });
}
