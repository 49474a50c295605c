/** Why a text is not JSON as this tool accepts it. The message names the place and never quotes the text. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;
  readonly column: number;

  constructor(reason: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    let line = 1;
    for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
    const column = offset - before.lastIndexOf("\n");
    super(`${reason} at line ${line} column ${column}`);
    this.line = line;
    this.column = column;
  }
}
