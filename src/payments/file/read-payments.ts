import { createHash } from "node:crypto";
import type { Abi } from "../../contract/abi.ts";
import { counted } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import type { PaymentFile, TypedCoin } from "../payment.ts";
import { type PlaceText, placesIn } from "../place.ts";
import type { Spelling } from "../spelling.ts";
import type { AddressOf } from "./call-data.ts";
import { decodeText } from "./decode.ts";
import { FileProblems } from "./file-problems.ts";
import { PaymentList } from "./payment-list.ts";
import { Repeats } from "./repeats.ts";
import { RowReader } from "./row-reader.ts";
import { csvRows, ndjsonRows, type SourceRow } from "./source-rows.ts";

/** The largest file that is read, in bytes. */
export const LARGEST_FILE = 64 * 2 ** 20;
/** The most rows of a file. A larger one takes hours, and each row needs a gas limit that no other row has. */
export const MOST_ROWS = 100_000;

/** What a file is read with. */
export interface ReadingRules {
  /** The members of a request for rows that do not have their own: `speed`, prices, `valid_until`. */
  defaults: JsonObject;
  /** In Unix milliseconds. */
  now: number;
  /** Returns the address of an EVM label that is typed as `@name`. */
  addressOf: AddressOf;
  /** Whether equal payments are meant. */
  allowDuplicates: boolean;
  /** How options are written in messages. */
  spelling: Spelling;
  /** The ABI of functions that are called by their names. */
  abi?: Abi;
}

/**
 * Reads a file of EVM payments, in CSV or NDJSON, and validates every row by all rules that do not depend on the
 * relayer (facts 5.3).
 * @throws RelayctlError usage with all problems: each has file, line, column, and row
 */
export async function readPayments(
  { name, bytes, placeText = placesIn(name) }: { name: string; bytes: Uint8Array; placeText?: PlaceText },
  rules: ReadingRules,
): Promise<PaymentFile> {
  const text = decodeText(placeText, bytes);
  const problems = new FileProblems(placeText);
  const rows = isNdjson(name, text) ? ndjsonRows(text, problems) : csvRows(text, problems);
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
    warnings: warningsFor(payments),
  };
}

/** The extension decides the format, or without a known one the content. */
function isNdjson(name: string, text: string): boolean {
  const [, extension] = /\.(csv|ndjson|jsonl)$/i.exec(name) ?? [];
  return extension === undefined ? text.trimStart().startsWith("{") : extension.toLowerCase() !== "csv";
}

/** Returns the encoder of calls. What it needs is slow to load, and few files need it. */
async function encoderFor(text: string, { abi, addressOf }: ReadingRules): Promise<RowReader["rules"]["encode"]> {
  if (!/\bcall\b/.test(text)) return () => ({ problems: [] });
  return (await import("./call-data.ts")).callEncoder(abi, addressOf);
}

/** What is known of all rows together. */
interface Whole {
  reader: RowReader;
  coins: readonly TypedCoin[];
  spelling: Spelling;
}

/** Adds what is wrong with rows together: a price that is missing everywhere would fill the screen otherwise. */
function refuseAsWhole({ reader: { withoutPrice }, coins, spelling }: Whole, problems: FileProblems): void {
  if (withoutPrice.length > 0) {
    const rows = `${counted(withoutPrice.length, "row")}, the first is row ${withoutPrice[0]}`;
    problems.add(undefined, `has no price for ${rows}; specify ${spelling.speed}, or a speed in each row`);
  }
  const [first, second] = coins;
  if (!first || !second) return;
  const rule = `mixes coins: ${first.coin} in row ${first.row}, and ${second.coin} in row ${second.row}; a relayer has one`;
  problems.add(undefined, rule);
}

/** The payments of a file, with what is known of all of them together. */
interface ReadPayments {
  list: PaymentList;
  total: bigint;
  /** The first row that pays nothing, and the number of such rows. */
  firstOfNothing: number | undefined;
  ofNothing: number;
}

/** Returns what is valid, but probably not meant. */
function warningsFor({ firstOfNothing: first, ofNothing: count }: ReadPayments): string[] {
  if (first === undefined) return [];
  const rows = count === 1 ? `row ${first} pays` : `${counted(count, "row")} pay`;
  const where = count === 1 ? "" : `; the first is row ${first}`;
  return [`${rows} nothing: the value is 0, without data${where}`];
}

function readRows(
  rows: Iterable<SourceRow>,
  { reader, problems, rules }: { reader: RowReader; problems: FileProblems; rules: ReadingRules },
): ReadPayments {
  const found: ReadPayments = { list: new PaymentList(), total: 0n, firstOfNothing: undefined, ofNothing: 0 };
  const repeats = new Repeats(problems, rules);
  let count = 0;
  for (const row of rows) {
    if (++count > MOST_ROWS) {
      const rule = `more than ${counted(MOST_ROWS, "row")}; split the file, and send its parts one after the other`;
      problems.add({ line: row.line, column: 1 }, rule);
      break;
    }
    const payment = reader.payment(row);
    if (!payment) continue;
    repeats.compare(payment, row);
    const { value, data } = payment;
    found.list.add(payment);
    found.total += value;
    if (value > 0n || data !== undefined) continue;
    found.firstOfNothing ??= payment.row;
    found.ofNothing++;
  }
  return found;
}
