/** A position in a text, both numbers from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** Why a text is not acceptable JSON. The message contains the position and never quotes the text. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly reason: string;
  readonly line: number;
  readonly column: number;

  constructor(reason: string, text: string, offset: number) {
    const { line, column } = positionAt(text, offset);
    super(`${reason} at line ${line} column ${column}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}
