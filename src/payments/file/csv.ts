import type { TextPosition } from "../../contract/json.ts";

export interface CsvRecord {
  /** Where it begins, from 1. */
  line: number;
  fields: readonly string[];
  /** Returns where a field begins. */
  placeOf(index: number): TextPosition;
}

const [QUOTE, COMMA, LF, CR] = [0x22, 0x2c, 0x0a, 0x0d];

/**
 * Reads CSV (RFC 4180): commas, double quotes, lines that end in LF or CRLF; a quoted field may contain all of them.
 * Lines without a character are skipped. A record that breaks the rules is refused and left out.
 */
export function* csvRecords(
  text: string,
  refuse: (place: TextPosition, rule: string) => void,
): Generator<CsvRecord, void, undefined> {
  const reader = new CsvReader(text, refuse);
  for (;;) {
    const record = reader.next();
    if (record === "end") return;
    if (record !== "skipped") yield record;
  }
}

class CsvReader {
  private at = 0;
  private line = 1;
  private lineStart = 0;
  private isWhole = true;
  private readonly text: string;
  private readonly refuse: (place: TextPosition, rule: string) => void;

  constructor(text: string, refuse: (place: TextPosition, rule: string) => void) {
    this.text = text;
    this.refuse = refuse;
  }

  next(): CsvRecord | "skipped" | "end" {
    const { text, at: start, line } = this;
    if (start >= text.length) return "end";
    if (this.lineEnd()) return "skipped";
    this.isWhole = true;
    const fields: string[] = [];
    const starts: number[] = [];
    do {
      starts.push(this.at);
      fields.push(text.charCodeAt(this.at) === QUOTE ? this.quoted() : this.plain());
    } while (this.take(COMMA));
    if (this.at < text.length && !this.lineEnd()) this.afterQuote();
    const buildPlace = (index: number) => placeIn(text, { start, line }, starts[index] ?? start);
    return this.isWhole ? { line, fields, placeOf: buildPlace } : "skipped";
  }

  private plain(): string {
    const { text, at: start } = this;
    let unit = text.charCodeAt(start);
    while (this.at < text.length && unit !== COMMA && unit !== LF && unit !== CR) {
      if (unit === QUOTE)
        this.mistake("a quote inside a field: put the whole field in quotes, and double each quote in it");
      unit = text.charCodeAt(++this.at);
    }
    return text.slice(start, this.at);
  }

  private quoted(): string {
    const { text, at: start, line, lineStart } = this;
    this.at++;
    for (;;) {
      const end = text.indexOf('"', this.at);
      if (end < 0) {
        this.countLines(start, text.length);
        this.at = text.length;
        this.mistake("a quote that is not closed", { line, column: start - lineStart + 1 });
        return "";
      }
      if (text.charCodeAt(end + 1) !== QUOTE) {
        this.countLines(start, end);
        this.at = end + 1;
        return text.slice(start + 1, end).replaceAll('""', '"');
      }
      this.at = end + 2;
    }
  }

  /** Counts the lines that end between two offsets, once for each field: a text can have many quotes and few lines. */
  private countLines(start: number, end: number): void {
    for (let at = this.text.indexOf("\n", start); at >= 0 && at < end; at = this.text.indexOf("\n", at + 1)) {
      this.line++;
      this.lineStart = at + 1;
    }
  }

  /** Refuses what follows a closing quote, and skips the rest of the line. */
  private afterQuote(): void {
    const isCarriageReturn = this.text.charCodeAt(this.at) === CR;
    this.mistake(
      isCarriageReturn
        ? "a carriage return without a line feed; end lines in LF or CRLF"
        : "text after a closing quote; double each quote inside a field",
    );
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
    this.lineEnd();
  }

  private take(unit: number): boolean {
    if (this.text.charCodeAt(this.at) !== unit) return false;
    this.at++;
    return true;
  }

  private lineEnd(): boolean {
    const { text, at } = this;
    const length = text.charCodeAt(at) === LF ? 1 : text.startsWith("\r\n", at) ? 2 : 0;
    if (length === 0) return false;
    this.at += length;
    this.line++;
    this.lineStart = this.at;
    return true;
  }

  private mistake(rule: string, place = { line: this.line, column: this.at - this.lineStart + 1 }): void {
    if (this.isWhole) this.refuse(place, rule);
    this.isWhole = false;
  }
}

function placeIn(text: string, record: { start: number; line: number }, offset: number): TextPosition {
  let [line, lineStart] = [record.line, record.start];
  for (let at = text.indexOf("\n", lineStart); at >= 0 && at < offset; at = text.indexOf("\n", lineStart)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
