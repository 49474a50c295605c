/** The part of the library that reads an expression; each function throws on a text that it cannot read. */
export interface ExpressionReader {
  tokenize(expression: string): readonly { start: number }[];
  compile(expression: string): unknown;
}

/**
 * The column, from 1, at which an expression stops making sense; the library does not tell. It is the start of the
 * first token after which a beginning of the expression is wrong for another reason than being unfinished.
 */
export function errorColumn(expression: string, reader: ExpressionReader): number {
  const end = readableLength(expression, reader);
  const readable = expression.slice(0, end);
  const starts = reader.tokenize(readable).map((token) => token.start);
  const wrong = starts.findIndex((_, index) => !couldGoOn(readable.slice(0, starts[index + 1]), reader));
  return (starts[wrong] ?? end) + 1;
}

/** How much of the expression is made of whole tokens. */
function readableLength(expression: string, reader: ExpressionReader): number {
  for (let length = expression.length; length > 0; length--) {
    if (reads(() => reader.tokenize(expression.slice(0, length)))) return length;
  }
  return 0;
}

function couldGoOn(beginning: string, reader: ExpressionReader): boolean {
  try {
    reader.compile(beginning);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes("EOF");
  }
}

function reads(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
