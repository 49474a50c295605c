export interface Annotation {
  level: "error" | "warning" | "notice";
  title: string;
  text: string;
  place?: { file: string; line?: number | undefined; column?: number | undefined };
}

const MOST_CHARACTERS = 4_000;

/** Returns the workflow command for an annotation, as one line. Its texts can't begin another command. */
export function annotationCommand({ level, title, text, place }: Annotation): string {
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  const at = place ? Object.entries({ file: place.file, line: place.line, col: place.column }) : [];
  const properties = [...at, ["title", title] as const].filter(([, value]) => value !== undefined);
  const written = properties.map(([name, value]) => `${name}=${escapedProperty(String(value))}`).join(",");
  return `::${level} ${written}::${escapedData(shown)}\n`;
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
