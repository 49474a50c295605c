import type { CST } from "yaml";

export interface Mistake {
  offset: number;
  rule: string;
}

const MOST_LEVELS = 128;
/** Every token takes memory, and each value has a few. */
const MOST_TOKENS = 2_500_000;
/** Nobody reads more. */
const MOST_MISTAKES = 100;

/** What other parsers expand or interpret, so that one text has several meanings, and a short one any size. */
const REFUSED: Readonly<Record<string, string>> = {
  anchor: "an anchor (&) is not supported: write the value where it is needed",
  alias: "an alias (*) is not supported: write the value where it is needed",
  tag: "a tag (!) is not supported: the type of a value follows from how it is written",
};

/** What may stand before a document. */
const BEFORE = ["space", "comment", "newline", "byte-order-mark", "directive-line", "doc-mode", "doc-end"];

/** Returns the tokens of a YAML text; what is not supported is a mistake, and may end them early. */
export function yamlTokens(
  text: string,
  { Lexer, Parser, CST }: typeof import("yaml"),
  mistakes: Mistake[],
): readonly CST.Token[] | undefined {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const rules = new LexemeRules();
  for (const lexeme of new Lexer().lex(text)) {
    const rule = rules.broken(lexeme, CST.tokenType(lexeme), parser.stack.length);
    if (rule !== undefined) mistakes.push({ offset: parser.offset, rule });
    if (rules.isOver || mistakes.length >= MOST_MISTAKES) return undefined;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  return [...tokens, ...parser.end()];
}

class LexemeRules {
  /** Set if nothing after this can be read. */
  isOver = false;
  private isScalar = false;
  private isInside = false;
  private documents = 0;
  private count = 0;

  broken(lexeme: string, found: string | null, levels: number): string | undefined {
    const type = this.isScalar || found === null ? "text" : found;
    this.isScalar = type === "scalar";
    if (type === "doc-mode") this.documents++;
    const limit = this.limit(type, levels);
    this.isOver = limit !== undefined;
    this.isInside ||= !BEFORE.includes(type);
    return limit ?? REFUSED[type] ?? directiveRule(type, lexeme);
  }

  private limit(type: string, levels: number): string | undefined {
    if (this.documents > 1 || (type === "doc-start" && this.isInside))
      return "a second document begins here; put it into another file, and specify both";
    if (levels > MOST_LEVELS) return "too many levels";
    return this.count++ > MOST_TOKENS ? "too many values" : undefined;
  }
}

function directiveRule(type: string, lexeme: string): string | undefined {
  const isUnknown = type === "directive-line" && !/^%YAML[ \t]+1\.2[ \t]*$/.test(lexeme);
  return isUnknown ? "a directive (%) is not supported" : undefined;
}
