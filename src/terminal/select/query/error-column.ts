/** The library's parser; each function throws on a text that it cannot parse. */
export interface ExpressionReader {
  tokenize(expression: string): readonly { start: number }[];
  compile(expression: string): unknown;
}

/**
 * Returns the column, from 1, where an expression becomes invalid, which the library does not report: the start of the
 * first token after which the expression is wrong for another reason than being incomplete.
 */
export function errorColumn(expression: string, reader: ExpressionReader): number {
  const end = readableLength(expression, reader);
  const readable = expression.slice(0, end);
  const starts = reader.tokenize(readable).map((token) => token.start);
  const wrong = starts.findIndex((_, index) => !couldContinue(readable.slice(0, starts[index + 1]), reader));
  return (starts[wrong] ?? end) + 1;
}

/** Returns how much of the expression consists of whole tokens. */
function readableLength(expression: string, reader: ExpressionReader): number {
  for (let length = expression.length; length > 0; length--) {
    if (reads(() => reader.tokenize(expression.slice(0, length)))) return length;
  }
  return 0;
}

function couldContinue(beginning: string, reader: ExpressionReader): boolean {
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
