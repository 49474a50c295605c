import type { CST, Node, YAMLError } from "yaml";
import { copyJsonObject, type JsonObject, type JsonValue, type TextPosition } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { sourcePlaceText } from "../desired-fleet.ts";
import { plainValue, UnclearValue } from "./plain-value.ts";

interface Mistake {
  offset: number;
  rule: string;
}

const MOST_LEVELS = 128;
/** Every token takes memory, and each value has a few. */
const MOST_TOKENS = 2_500_000;
const MOST_MISTAKES = 100;

/** Syntax that other parsers expand or interpret, so that a text has several meanings, and a short text any size. */
const REFUSED: Readonly<Record<string, string>> = {
  anchor: "an anchor (&) is not supported: write the value where it is needed",
  alias: "an alias (*) is not supported: write the value where it is needed",
  tag: "a tag (!) is not supported: the type of a value follows from how it is written",
};

/** What may precede a document. */
const BEFORE = ["space", "comment", "newline", "byte-order-mark", "directive-line", "doc-mode", "doc-end"];

function yamlTokens(
  text: string,
  { Lexer, Parser, CST }: typeof import("../../contract/encoding/yaml.ts"),
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

type Library = typeof import("../../contract/encoding/yaml.ts");

/** Parses YAML 1.2 to values that JSON can express, as all parsers understand it. @throws RelayctlError usage */
export async function parseYaml(file: string, text: string) {
  const reader = new YamlReader(text, await import("../../contract/encoding/yaml.ts"));
  const value = reader.document();
  const { mistakes, places, positionOf } = reader;
  if (mistakes.length === 0) return { value, places };
  mistakes.sort((one, other) => one.offset - other.offset);
  throw usageError(
    mistakes.map(({ offset, rule }) => ({
      where: sourcePlaceText({ file, ...positionOf(offset) }),
      rule: `in YAML: ${rule}`,
    })),
  );
}

class YamlReader {
  readonly places = new Map<string, TextPosition>();
  readonly mistakes: Mistake[] = [];
  readonly positionOf: (offset: number) => TextPosition;
  private readonly text: string;
  private readonly library: Library;

  constructor(text: string, library: Library) {
    this.text = text;
    this.library = library;
    this.positionOf = lineIndex(text);
  }

  document(): JsonValue {
    const { text, library } = this;
    const tokens = yamlTokens(text, library, this.mistakes);
    if (!tokens || this.mistakes.length > 0) return null;
    const options = { schema: "failsafe", uniqueKeys: false, prettyErrors: false } as const;
    const [document] = new library.Composer(options).compose(tokens, true, text.length);
    // Later errors are mostly its consequences.
    const [first] = [...(document?.errors ?? [])].sort((one, other) => one.pos[0] - other.pos[0]);
    if (first) this.refuse(first.pos[0], WORDS[first.code] ?? UNEXPECTED);
    return this.mistakes.length > 0 ? null : this.value(document?.contents ?? null, "");
  }

  private refuse(offset: number, rule: string): void {
    this.mistakes.push({ offset, rule });
  }

  private value(node: Node | null, path: string): JsonValue {
    const { isMap, isScalar, isSeq } = this.library;
    if (path === "") this.note(node, path);
    if (isMap<Node, Node | null>(node)) return this.object(node.items, path === "" ? "" : `${path}.`);
    if (isSeq<Node>(node))
      return node.items.map((item, index) => this.item(item, path === "" ? `${index}` : `${path}.${index}`));
    if (!isScalar(node) || typeof node.value !== "string") return null;
    if (!node.value.isWellFormed()) this.refuse(offsetOf(node), "a lone surrogate");
    return node.type === "PLAIN" ? this.plain(node, node.value) : node.value;
  }

  private item(node: Node, path: string): JsonValue {
    this.note(node, path);
    return this.value(node, path);
  }

  private note(node: Node | null, path: string): void {
    this.places.set(path, this.positionOf(offsetOf(node)));
  }

  private object(items: readonly { key: Node; value: Node | null }[], prefix: string): JsonObject {
    const object = copyJsonObject({});
    for (const { key, value } of items) {
      const name = this.name(key);
      if (name === undefined) continue;
      if (Object.hasOwn(object, name)) this.refuse(offsetOf(key), "a duplicate field name");
      this.note(key, prefix + name);
      object[name] = this.value(value, prefix + name);
    }
    return object;
  }

  /** Returns the text of a key; reports a key of another type. */
  private name(key: Node): string | undefined {
    const { isScalar } = this.library;
    const name = isScalar(key) ? this.value(key, "key") : undefined;
    if (name === "<<" && isScalar(key) && key.type === "PLAIN")
      this.refuse(offsetOf(key), "a merge key (<<) is not supported: write the members where they are needed");
    else if (typeof name === "string") return name;
    else this.refuse(offsetOf(key), "a field name that is not a text; put it in quotes");
    return undefined;
  }

  private plain(node: Node, text: string): JsonValue {
    try {
      return plainValue(text);
    } catch (error) {
      if (!(error instanceof UnclearValue)) throw error;
      this.refuse(offsetOf(node), error.message);
      return null;
    }
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

const UNEXPECTED = "unexpected text; put a text with a colon, braces, or brackets in quotes";

/** The library's messages may quote the file. */
const WORDS: Partial<Record<YAMLError["code"], string>> = {
  BAD_DQ_ESCAPE: "an unknown escape in a quoted text",
  BAD_INDENT: "wrong indentation, or a bracket that is not closed",
  BAD_SCALAR_START: "a text that begins with a reserved character; put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second colon on the line, or wrong indentation; put a text with a colon in quotes",
  BLOCK_IN_FLOW: "an indented object or list inside brackets",
  KEY_OVER_1024_CHARS: "a field name of more than 1,024 characters",
  MISSING_CHAR: "a missing character: a quote, a bracket, a comma, a colon, or a space",
  MULTILINE_IMPLICIT_KEY: "a field name of several lines, or a missing colon",
  TAB_AS_INDENT: "a tab in the indentation; use spaces",
};

function lineIndex(text: string): (offset: number) => TextPosition {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
