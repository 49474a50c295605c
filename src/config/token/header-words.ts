const FLAG = "--header";

export function withHeaderValues(argv: readonly string[], change: (name: string, value: string) => string): string[] {
  const changed = (text: string) => {
    if (text.startsWith("@")) return text;
    const colon = text.indexOf(":");
    return change(text.slice(0, Math.max(colon, 0)).trim(), text.slice(colon + 1).trim());
  };
  return argv.map((word, index) => {
    if (word.startsWith(`${FLAG}=`)) return `${FLAG}=${changed(word.slice(FLAG.length + 1))}`;
    return argv[index - 1] === FLAG ? changed(word) : word;
  });
}

export function headerVariable(name: string): string {
  return `HEADER_${name.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
}

/** Hides the literal headers of a line, even if it can't be parsed. */
export async function hideTypedHeaders(argv: readonly string[], secrets: { add(secret: string): void }): Promise<void> {
  if (!argv.some((word) => word.startsWith(FLAG))) return;
  const { secretsOfHeader } = await import("../../contract/header-rules.ts");
  withHeaderValues(argv, (_, value) => {
    for (const secret of secretsOfHeader(value)) secrets.add(secret);
    return "";
  });
}
