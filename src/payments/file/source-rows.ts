import { isNumber } from "../../contract/decimal.ts";
import {
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  positionsIn,
  type TextPosition,
} from "../../contract/json.ts";
import { didYouMean } from "../../nearest.ts";
import type { FileProblems } from "./file-problems.ts";

const MOST_ARGUMENTS = 16;

/** The columns of the arguments of `call`, in order: `arg1` to `arg16`. */
export const ARGUMENT_COLUMNS: readonly string[] = Array.from(
  { length: MOST_ARGUMENTS },
  (_, index) => `arg${index + 1}`,
);

export const PRICE_COLUMNS = ["speed", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"] as const;

const NAMED = ["to", "value", "data", "call", "gas_limit", ...PRICE_COLUMNS, "valid_until", "label"];
const COLUMNS = new Set([...NAMED, ...ARGUMENT_COLUMNS]);

function countProblem(count: number): string | undefined {
  return count > COLUMNS.size ? `has ${count} columns, and a payment has at most ${COLUMNS.size}` : undefined;
}

/** What spreadsheets call the columns. */
const USUAL: readonly (readonly [column: string, words: RegExp])[] = [
  ["to", /^(?:receiver|recipient|payee|(?:wallet )?address)$/i],
  ["value", /^amount$/i],
  ["label", /^(?:note|memo|reference|description|invoice|name|id)$/i],
];

function columnProblem(name: string): string | undefined {
  if (COLUMNS.has(name)) return undefined;
  const [usual] = USUAL.find(([, words]) => words.test(name)) ?? [];
  const near = didYouMean([usual ?? name], [...COLUMNS]);
  return `unknown column${near || `; known: ${[...NAMED, `arg1 to arg${MOST_ARGUMENTS}`].join(", ")}`}`;
}

interface CsvRecord {
  line: number;
  fields: readonly string[];
  placeOf(index: number): TextPosition;
}

const [QUOTE, COMMA, LF, CR] = [0x22, 0x2c, 0x0a, 0x0d];

/** Reads CSV (RFC 4180) without empty lines; refuses invalid records. */
export function* csvSourceRecords(
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

export interface SourceRow {
  /** From 1, without the header. */
  row: number;
  line: number;
  refused: readonly string[];
  cell(name: string): string | undefined;
  /** Returns where a column is, or where the row begins. */
  placeOf(name: string): TextPosition;
}

export function* csvSourceRows(text: string, problems: FileProblems): Generator<SourceRow> {
  const records = csvSourceRecords(text, (place, rule) => problems.add(place, rule));
  const header = records.next();
  if (header.done) return;
  const { fields: names } = header.value;
  if (!isHeader(header.value, problems)) return;
  const columns = new Map(names.map((name, index) => [name, index]));
  let row = 0;
  for (const { line, fields, placeOf } of records) {
    row++;
    if (fields.length !== names.length) {
      const rule = `has ${fields.length} fields, and the header has ${names.length}`;
      problems.add(placeOf(0), rule, { row });
      continue;
    }
    yield {
      row,
      line,
      refused: [],
      cell: (name) => fields[columns.get(name) ?? -1] || undefined,
      placeOf: (name) => placeOf(columns.get(name) ?? 0),
    };
  }
}

function isHeader(
  { fields, placeOf }: { fields: readonly string[]; placeOf(index: number): TextPosition },
  problems: FileProblems,
): boolean {
  const separator = [";", "\t", "|"].find((each) => fields.length === 1 && fields[0]?.includes(each));
  if (separator !== undefined) {
    const word = separator === "\t" ? "tabs" : `"${separator}"`;
    problems.add(placeOf(0), `columns are separated by ${word}; separate them with commas`);
    return false;
  }
  const isRow = fields.some((each) => /^(?:0x|@|[0-9])/.test(each));
  const rule = isRow
    ? "the header is missing; the first line lists the columns, e.g. to,value,label"
    : countProblem(fields.length);
  if (rule !== undefined) {
    problems.add(placeOf(0), rule);
    return false;
  }
  const unknown = fields.map(columnProblem);
  const seen = new Set<string>();
  for (const [index, name] of fields.entries()) {
    const rule = unknown[index] ?? (seen.has(name) ? "repeats a column" : undefined);
    seen.add(name);
    if (rule !== undefined) problems.add(placeOf(index), rule, "header", name);
  }
  for (const name of ["to", "value"].filter((each) => !fields.includes(each)))
    problems.add(placeOf(0), `the column ${name} is missing`, "header");
  return !unknown.some((each) => each !== undefined) && fields.includes("to") && fields.includes("value");
}

export function* ndjsonSourceRows(text: string, problems: FileProblems): Generator<SourceRow> {
  let [line, row] = [0, 0];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const content = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
    line++;
    if (content.trim() === "") continue;
    row++;
    const object = parsedLine(content, { line, row }, problems);
    const rule = object && countProblem(Object.keys(object).length);
    if (rule !== undefined) problems.add({ line, column: 1 }, rule, { row });
    else if (object) yield objectRow(object, content, { line, row }, problems);
  }
}

interface RowPlace {
  line: number;
  row: number;
}

function parsedLine(content: string, { line, row }: RowPlace, problems: FileProblems): JsonObject | undefined {
  try {
    const value = parseJson(content);
    if (isJsonObject(value)) return value;
    problems.add({ line, column: 1 }, 'needs an object, e.g. {"to": "0x…", "value": "0.01eth"}', { row });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    problems.add({ line, column: error.column }, `is not JSON: ${error.reason}`, { row });
  }
  return undefined;
}

function objectRow(object: JsonObject, content: string, { line, row }: RowPlace, problems: FileProblems): SourceRow {
  let positions: ReturnType<typeof positionsIn> | undefined;
  const buildPlace = (name: string) => {
    positions ??= positionsIn(content);
    return { line, column: positions.get(name)?.column ?? 1 };
  };
  const cells = new Map<string, string>();
  const refused: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    const found = cellText(value);
    const rule = columnProblem(name) ?? found.rule;
    if (found.text) cells.set(name, found.text);
    if (rule === undefined) continue;
    problems.add(buildPlace(name), rule, { row, column: name });
    refused.push(name);
  }
  return { row, line, refused, cell: (name) => cells.get(name), placeOf: buildPlace };
}

function cellText(value: JsonValue): { text?: string; rule?: string } {
  if (value === null) return {};
  if (typeof value === "string") return { text: value };
  if (isJsonInteger(value)) return { text: String(value) };
  if (isNumber(value)) return { rule: 'needs a whole number, or a text with a unit, e.g. "0.01eth"' };
  return { rule: "needs a text or a whole number" };
}
