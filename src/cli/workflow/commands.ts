/** What a run of GitHub Actions shows next to the log. */
export interface Annotation {
  level: "error" | "warning" | "notice";
  title: string;
  text: string;
}

/** The maximum length of an annotation; GitHub cuts longer ones. */
const MOST_CHARACTERS = 4_000;

/** Returns the workflow command for an annotation, as one line. Its texts cannot begin another command. */
export function annotationCommand({ level, title, text }: Annotation): string {
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return `::${level} title=${escapedProperty(title)}::${escapedData(shown)}\n`;
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Matches the start of a line that a runner executes: `::error::`, also after spaces, and `##[group]` anywhere. */
const COMMAND = /((?:^|[\r\n])\s*):(?=:)|#(?=#\[)/g;

/** How a character is escaped: in a text, or in a JSON string. */
export type Escape = "text" | "json";

/** Returns a text in which no line is a workflow command: the first character of each is escaped. */
export function withoutCommands(text: string, form: Escape): string {
  return text.replace(COMMAND, (_, before: string | undefined) => {
    const code = (before === undefined ? "#" : ":").charCodeAt(0).toString(16);
    return (before ?? "") + (form === "json" ? `\\u${code.padStart(4, "0")}` : `\\u{${code}}`);
  });
}

/** Returns whether bytes may contain a workflow command. */
export function mayContainCommand(bytes: Uint8Array): boolean {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return chunk.includes("##[") || chunk.includes("::");
}
