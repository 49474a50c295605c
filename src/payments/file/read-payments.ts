import { createHash } from "node:crypto";
import type { Abi } from "../../contract/abi.ts";
import { pluralize } from "../../contract/decimal.ts";
import { strictUtf8 } from "../../contract/encoding/utf8.ts";
import type { JsonObject, TextPosition } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { type Payment, type PaymentFile, type Payments, type PlaceText, placesIn, type TypedCoin } from "../payment.ts";
import type { Spelling } from "../run/running.ts";
import type { ResolveAddress } from "./call-data.ts";
import { FileProblems } from "./file-problems.ts";
import { RowReader } from "./row-reader.ts";
import { csvSourceRows, ndjsonSourceRows, type SourceRow } from "./source-rows.ts";

const BLOCK = 256;
/** No field of a payment contains a tab or a line feed. */
const [FIELD, RECORD] = ["\t", "\n"];

/** Payments in a third of the memory of objects, outside V8's heap; each is built when it is read. */
export class PaymentList implements Payments {
  private readonly blocks: Block[] = [];
  private open: string[] = [];
  private readonly requests: JsonObject[] = [];
  private readonly indexes = new Map<JsonObject, number>();

  add({ row, line, label, to, value, data, gasLimit, request }: Payment): void {
    const index = this.indexes.get(request) ?? this.requests.push(request) - 1;
    this.indexes.set(request, index);
    const fields = [row, line, to, value, index, gasLimit, data, label];
    this.open.push(fields.map((field) => field ?? "").join(FIELD));
    if (this.open.length < BLOCK) return;
    this.blocks.push(encodeBlock(this.open));
    this.open = [];
  }

  get length(): number {
    return this.blocks.length * BLOCK + this.open.length;
  }

  *[Symbol.iterator](): Generator<Payment, void, undefined> {
    for (const block of this.blocks)
      for (const record of block.bytes.toString(block.encoding).split(RECORD)) yield this.payment(record);
    for (const record of this.open) yield this.payment(record);
  }

  private payment(record: string): Payment {
    const [row, line, to = "", value = "", index, gasLimit, data, label] = record.split(FIELD);
    return {
      row: Number(row),
      line: Number(line),
      ...(label && { label }),
      to,
      value: BigInt(value),
      ...(data && { data }),
      ...(gasLimit && { gasLimit: BigInt(gasLimit) }),
      request: this.requests[Number(index)] ?? {},
    };
  }
}

interface Block {
  bytes: Buffer;
  encoding: "latin1" | "utf16le";
}

function encodeBlock(records: readonly string[]): Block {
  const text = records.join(RECORD);
  // UTF-8 would change a label with half of a surrogate pair, which JSON can contain.
  const encoding = /^[\0-\xff]*$/.test(text) ? "latin1" : "utf16le";
  return { bytes: Buffer.from(text, encoding), encoding };
}

interface DuplicateRules {
  allowDuplicates: boolean;
  spelling: Spelling;
}

class Repeats {
  private readonly problems: FileProblems;
  private readonly rules: DuplicateRules;
  /** The first row with each content, and with each label. */
  private readonly contents = new Map<string, number>();
  private readonly labels = new Map<string, number>();

  constructor(problems: FileProblems, rules: DuplicateRules) {
    this.problems = problems;
    this.rules = rules;
  }

  compare(payment: Payment, row: SourceRow): void {
    const { to, value, data = "", label } = payment;
    const { allowDuplicates, spelling } = this.rules;
    const earlier = allowDuplicates
      ? undefined
      : firstWith(this.contents, `${to} ${value} ${data}`.toLowerCase(), row.row);
    if (earlier !== undefined) {
      const what = data === "" ? "receiver and amount" : "receiver, amount, and data";
      this.add(row, "to", `same ${what} as row ${earlier}; if both are meant, use ${spelling.allowDuplicates}`, to);
    }
    const sameLabel = label === undefined ? undefined : firstWith(this.labels, label, row.row);
    if (sameLabel !== undefined)
      this.add(row, "label", `row ${sameLabel} has this label too; each label is unique`, label);
  }

  private add(row: SourceRow, column: string, rule: string, given: string | undefined): void {
    this.problems.add(row.placeOf(column), rule, { row: row.row, column }, given);
  }
}

function firstWith(known: Map<string, number>, text: string, row: number): number | undefined {
  const first = known.get(text);
  if (first === undefined) known.set(text, row);
  return first;
}

const LF = 0x0a;

function decodeText(placeText: PlaceText, bytes: Uint8Array): string {
  const refuse = (rule: string, position?: TextPosition) => usageError([{ where: placeText(position), rule }]);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw refuse("is UTF-16; save it as UTF-8");
  const nul = bytes.indexOf(0);
  if (nul >= 0) throw refuse("a NUL byte; the file is damaged, or not saved as UTF-8", positionAt(bytes, nul));
  const text = strictUtf8(bytes)?.replace(/^\ufeff/, "");
  if (text === undefined) throw refuse("is not UTF-8; save it as UTF-8", { line: firstUndecodable(bytes), column: 1 });
  if (text.trim() === "") throw refuse("is empty");
  return text;
}

/** Returns the line of the first byte that is not UTF-8. No character contains a line feed's byte. */
function firstUndecodable(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(LF, start);
    if (end < 0 || strictUtf8(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
}

function positionAt(bytes: Uint8Array, offset: number): TextPosition {
  let [line, start] = [1, 0];
  for (let at = bytes.indexOf(LF); at >= 0 && at < offset; at = bytes.indexOf(LF, start)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

export const LARGEST_FILE = 64 * 2 ** 20;
/** A larger file takes hours, and each row needs a unique gas limit. */
export const MOST_ROWS = 100_000;

export interface ReadingRules {
  /** The members of requests for rows without them: `speed`, prices, `valid_until`. */
  defaults: JsonObject;
  now: number;
  /** Returns the address of an EVM label, typed as `@name`. */
  addressOf: ResolveAddress;
  allowDuplicates: boolean;
  spelling: Spelling;
  /** The ABI of functions that are called by name. */
  abi?: Abi;
}

/** Reads a file of EVM payments by all rules except the relayer's (facts 5.3). @throws RelayctlError usage */
export async function readPayments(
  { name, bytes, placeText = placesIn(name) }: { name: string; bytes: Uint8Array; placeText?: PlaceText },
  rules: ReadingRules,
): Promise<PaymentFile> {
  const text = decodeText(placeText, bytes);
  const problems = new FileProblems(placeText);
  const rows = isNdjson(name, text) ? ndjsonSourceRows(text, problems) : csvSourceRows(text, problems);
  const reader = new RowReader({ ...rules, placeText, encode: await encoderFor(text, rules) }, problems);
  const payments = readRows(rows, { reader, problems, rules });
  const coins = [...reader.coins.values()];
  refuseAsWhole({ reader, coins, spelling: rules.spelling }, problems);
  problems.throwIfAny();
  if (payments.list.length === 0) throw usageError([{ where: placeText(undefined), rule: "has no payments" }]);
  return {
    name,
    placeText,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    kind: "evm",
    payments: payments.list,
    total: payments.total,
    ...(coins[0] && { coin: coins[0] }),
  };
}

/** The extension decides the format, or without a known extension the content. */
function isNdjson(name: string, text: string): boolean {
  const [, extension] = /\.(csv|ndjson|jsonl)$/i.exec(name) ?? [];
  return extension === undefined ? text.trimStart().startsWith("{") : extension.toLowerCase() !== "csv";
}

/** Returns the encoder of calls, which is slow to load, and which few files need. */
async function encoderFor(text: string, { abi, addressOf }: ReadingRules): Promise<RowReader["rules"]["encode"]> {
  if (!/\bcall\b/.test(text)) return () => ({ problems: [] });
  return (await import("./call-data.ts")).paymentCallEncoder(abi, addressOf);
}

/** Adds problems of all rows: a price that is missing everywhere would fill the screen otherwise. */
function refuseAsWhole(
  { reader: { withoutPrice }, coins, spelling }: { reader: RowReader; coins: readonly TypedCoin[]; spelling: Spelling },
  problems: FileProblems,
): void {
  if (withoutPrice.length > 0) {
    const rows = `${pluralize(withoutPrice.length, "row")}, the first is row ${withoutPrice[0]}`;
    problems.add(undefined, `has no price for ${rows}; specify ${spelling.speed}, or a speed in each row`);
  }
  const [first, second] = coins;
  if (!first || !second) return;
  const rule = `mixes coins: ${first.coin} in row ${first.row}, and ${second.coin} in row ${second.row}; a relayer has one`;
  problems.add(undefined, rule);
}

interface ReadPayments {
  list: PaymentList;
  total: bigint;
}

function readRows(
  rows: Iterable<SourceRow>,
  { reader, problems, rules }: { reader: RowReader; problems: FileProblems; rules: ReadingRules },
): ReadPayments {
  const found: ReadPayments = { list: new PaymentList(), total: 0n };
  const repeats = new Repeats(problems, rules);
  let count = 0;
  for (const row of rows) {
    if (++count > MOST_ROWS) {
      const rule = `more than ${pluralize(MOST_ROWS, "row")}; split the file, and send its parts one after the other`;
      problems.add({ line: row.line, column: 1 }, rule);
      break;
    }
    const payment = reader.payment(row);
    if (!payment) continue;
    repeats.compare(payment, row);
    found.list.add(payment);
    found.total += payment.value;
  }
  return found;
}
