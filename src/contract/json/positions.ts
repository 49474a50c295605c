import { JsonScanner } from "./scanner.ts";
import type { TextPosition } from "./syntax-error.ts";

const [QUOTE, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c];
const WORDS = ["true", "false", "null"];

/** Returns the position of each field and entry of a JSON text by its dotted path. @throws JsonSyntaxError */
export function positionsIn(text: string): ReadonlyMap<string, TextPosition> {
  return new PositionScanner(text).all();
}

class PositionScanner extends JsonScanner {
  private readonly places = new Map<string, TextPosition>();
  private line = 1;
  private lineStart = 0;
  /** Before the first line. */
  private lineEnd = -1;

  all(): ReadonlyMap<string, TextPosition> {
    this.places.set("", this.next());
    this.value("");
    return this.places;
  }

  private value(prefix: string): void {
    if (this.take(OPEN_OBJECT)) this.fields(prefix);
    else if (this.take(OPEN_ARRAY)) this.entries(prefix);
    else this.scalar();
  }

  private fields(prefix: string): void {
    if (this.take(CLOSE_OBJECT)) return;
    do {
      const place = this.next();
      const path = prefix + this.string();
      this.places.set(path, place);
      this.expect(":");
      this.value(`${path}.`);
    } while (this.take(COMMA));
    this.expect("}");
  }

  private entries(prefix: string): void {
    if (this.take(CLOSE_ARRAY)) return;
    let index = 0;
    do {
      const path = prefix + index++;
      this.places.set(path, this.next());
      this.value(`${path}.`);
    } while (this.take(COMMA));
    this.expect("]");
  }

  /** Counts the lines since the previous position: counting from the start would take quadratic time. */
  private next(): TextPosition {
    this.skipSpace();
    while (this.lineEnd < this.at) {
      if (this.lineEnd >= 0) this.line++;
      this.lineStart = this.lineEnd + 1;
      const end = this.text.indexOf("\n", this.lineStart);
      this.lineEnd = end < 0 ? this.text.length : end;
    }
    return { line: this.line, column: this.at - this.lineStart + 1 };
  }

  private scalar(): void {
    const word = WORDS.find((word) => this.text.startsWith(word, this.at));
    if (word !== undefined) this.word(word, null);
    else if (this.text.charCodeAt(this.at) === QUOTE) this.string();
    else this.number();
  }
}
