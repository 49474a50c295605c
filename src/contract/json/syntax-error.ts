/** Where something stands in a text, both counted from 1. */
export interface Place {
  line: number;
  column: number;
}

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** Why a text is not JSON as this tool accepts it. The message names the place and never quotes the text. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** Without the place. */
  readonly reason: string;
  readonly line: number;
  readonly column: number;

  constructor(reason: string, text: string, offset: number) {
    const { line, column } = placeAt(text, offset);
    super(`${reason} at line ${line} column ${column}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}
