import { AmountError, type Currency, GAS_PRICE, readAmount, WEI } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { brokenRules } from "../../contract/requests/broken-rules.ts";
import { transactionSchemas, transactionShapes, transferShape } from "../../contract/requests.ts";
import { pastProblem } from "../../contract/transaction/past-problem.ts";
import type { Payment, PlaceText, TypedCoin } from "../payment.ts";
import type { CallData, ResolveAddress } from "./call-data.ts";
import type { FileProblems } from "./file-problems.ts";
import { ARGUMENT_COLUMNS, PRICE_COLUMNS, type SourceRow } from "./source-rows.ts";

/** The texts of a row, and its wrong columns, each with one problem. */
class RowCells {
  readonly row: SourceRow;
  private readonly problems: FileProblems;
  private readonly refused: string[];

  constructor(row: SourceRow, problems: FileProblems) {
    this.row = row;
    this.problems = problems;
    this.refused = [...row.refused];
  }

  get isWrong(): boolean {
    return this.refused.length > 0;
  }

  text(name: string): string | undefined {
    return this.row.cell(name);
  }

  /** Adds a problem with a column, unless it has one. */
  refuse(column: string, rule: string): undefined {
    const { row, refused } = this;
    if (refused.includes(column)) return;
    refused.push(column);
    const text = row.cell(column);
    const isSpaced = text !== undefined && text !== text.trim();
    const words = isSpaced ? "begins or ends with a space; remove it" : rule;
    this.problems.add(row.placeOf(column), words, { row: row.row, column }, text);
  }

  /** Leaves out later problems of a column, which are consequences. */
  leaveOut(column: string): void {
    this.refused.push(column);
  }
}

interface Terms {
  gasLimit: bigint | undefined;
  request: JsonObject;
}

const TERM_COLUMNS = ["gas_limit", ...PRICE_COLUMNS, "valid_until"];
const CALL_COLUMNS = ["data", "call", ...ARGUMENT_COLUMNS];
/** A file in which each row has a different gas limit has as many terms as rows. */
const MOST_KNOWN = 1000;

/** Validating them once halves the time, and no rule depends on both them and receiver or amount (facts 5.3). */
class KnownTerms {
  private readonly known = new Map<string, Terms>();

  /** Returns undefined for unknown terms, and for a call. */
  get(cells: RowCells): Terms | undefined {
    return isTransfer(cells) ? this.known.get(termsText(cells)) : undefined;
  }

  add(cells: RowCells, terms: Terms): void {
    if (this.known.size < MOST_KNOWN && isTransfer(cells)) this.known.set(termsText(cells), terms);
  }
}

function isTransfer(cells: RowCells): boolean {
  return CALL_COLUMNS.every((name) => cells.text(name) === undefined);
}

/** A valid text has no line break, so that different terms have different texts. */
function termsText(cells: RowCells): string {
  return TERM_COLUMNS.map((name) => cells.text(name)).join("\n");
}

const ZERO = /^0x0{40}$/i;
const LONGEST_LABEL = 200;

function refuseLoss(cells: RowCells, to: string | undefined, value: bigint | undefined): void {
  if (to !== undefined && value !== undefined && value > 0n && ZERO.test(to))
    cells.refuse("to", "is the zero address: the amount would be lost");
}

function readGasLimit(cells: RowCells): bigint | undefined {
  const text = cells.text("gas_limit");
  if (text === undefined) return undefined;
  return /^[0-9]{1,20}$/.test(text) ? BigInt(text) : cells.refuse("gas_limit", "needs a whole number of gas");
}

function readLabel(cells: RowCells): string | undefined {
  const label = cells.text("label");
  if (label === undefined) return undefined;
  if (/[\p{Cc}\u2028\u2029]/u.test(label))
    return cells.refuse("label", "has a line break or another control character");
  return label.length > LONGEST_LABEL ? cells.refuse("label", `has more than ${LONGEST_LABEL} characters`) : label;
}

export interface RowRules {
  placeText: PlaceText;
  /** The members of requests for rows without them: `speed`, prices, `valid_until`. */
  defaults: JsonObject;
  now: number;
  addressOf: ResolveAddress;
  encode(call: string, given: readonly string[]): CallData;
}

/** Reads the rows of EVM payments one by one, and collects their problems (facts 5.3). */
export class RowReader {
  /** The coins that are typed as units, in lowercase, with their first use. */
  readonly coins = new Map<string, TypedCoin>();
  /** The rows without a price, which the service does not choose (facts 5.3). */
  readonly withoutPrice: number[] = [];
  private readonly rules: RowRules;
  private readonly problems: FileProblems;
  private readonly terms = new KnownTerms();

  constructor(rules: RowRules, problems: FileProblems) {
    this.rules = rules;
    this.problems = problems;
  }

  payment(row: SourceRow): Payment | undefined {
    const cells = new RowCells(row, this.problems);
    const terms = this.terms.get(cells);
    const value = this.amount(cells, "value", WEI);
    const { gasLimit } = terms ?? { gasLimit: readGasLimit(cells) };
    const label = readLabel(cells);
    const to = this.receiver(cells);
    const data = terms ? undefined : this.data(cells, value);
    const request = terms?.request ?? this.request(cells);
    if (data === undefined) refuseLoss(cells, to, value);
    if (terms) refuseBroken(cells, transferShape, requestBody({ to, value }));
    else this.validate(cells, requestBody({ to, value, data, gasLimit, request }));
    if (cells.isWrong || to === undefined || value === undefined) return undefined;
    if (!terms && this.withoutPrice.length === 0) this.terms.add(cells, { gasLimit, request });
    return {
      row: row.row,
      line: row.line,
      ...(label !== undefined && { label }),
      to,
      value,
      ...(data !== undefined && data !== "0x" && { data }),
      ...(gasLimit !== undefined && { gasLimit }),
      request,
    };
  }

  private receiver(cells: RowCells): string | undefined {
    const text = cells.text("to");
    if (text === undefined) return cells.refuse("to", "is missing: every row needs a receiver");
    if (!text.startsWith("@")) return text;
    const found = this.rules.addressOf(text);
    return "address" in found ? found.address : cells.refuse("to", found.rule);
  }

  private amount(cells: RowCells, name: string, currency: Currency): bigint | undefined {
    const text = cells.text(name);
    if (text === undefined)
      return name === "value" ? cells.refuse(name, "is missing: every row needs an amount") : undefined;
    try {
      const { amount, coin } = readAmount(text, currency, "line");
      if (coin !== undefined) this.noteCoin(cells.row, coin, text);
      return amount;
    } catch (error) {
      if (!(error instanceof AmountError)) throw error;
      return cells.refuse(name, error.message);
    }
  }

  private noteCoin(row: SourceRow, coin: string, text: string): void {
    const key = coin.toLowerCase().replace("ether", "eth");
    if (this.coins.has(key)) return;
    const where = this.rules.placeText(row.placeOf("value"), { row: row.row, column: "value" });
    this.coins.set(key, { coin, text, where, row: row.row });
  }

  private data(cells: RowCells, value: bigint | undefined): string | undefined {
    const call = cells.text("call");
    const given = ARGUMENT_COLUMNS.map((name) => cells.text(name));
    const count = given.findLastIndex((each) => each !== undefined) + 1;
    if (call === undefined)
      return count > 0 ? cells.refuse("call", "is missing: the row has arguments") : cells.text("data");
    if (cells.text("data") !== undefined) return cells.refuse("call", "cannot be combined with data");
    const found = this.rules.encode(
      call,
      given.slice(0, count).map((each) => each ?? ""),
    );
    if ("data" in found) {
      if (!found.isPayable && value !== undefined && value > 0n)
        cells.refuse("value", "must be 0: the function is not payable, and the call would revert");
      return found.data;
    }
    for (const { argument, rule } of found.problems) cells.refuse(ARGUMENT_COLUMNS[argument ?? -1] ?? "call", rule);
    cells.leaveOut("data");
    return undefined;
  }

  /** Returns the price and the expiration: the row's, or the defaults for all rows. */
  private request(cells: RowCells): JsonObject {
    const { defaults } = this.rules;
    const own: JsonObject = {};
    for (const name of PRICE_COLUMNS) {
      const value = name === "speed" ? cells.text(name) : this.amount(cells, name, GAS_PRICE);
      if (value !== undefined) own[name] = value;
    }
    const { valid_until: validUntil } = defaults;
    const isPriced = PRICE_COLUMNS.some((name) => cells.text(name) !== undefined);
    const rest = isPriced ? (validUntil === undefined ? {} : { valid_until: validUntil }) : defaults;
    const until = cells.text("valid_until");
    return { ...rest, ...own, ...(until !== undefined && { valid_until: until }) };
  }

  private validate(cells: RowCells, body: JsonObject): void {
    // The rules across fields would treat an unreadable field as missing.
    const schemas = cells.isWrong ? transactionShapes : transactionSchemas;
    const isPriced = PRICE_COLUMNS.some((name) => name in body || cells.text(name) !== undefined);
    if (!isPriced) this.withoutPrice.push(cells.row.row);
    refuseBroken(cells, schemas.evm, body, isPriced ? undefined : "speed");
    const past = pastProblem("evm", body.valid_until, this.rules.now);
    if (past !== undefined) cells.refuse("valid_until", past);
  }
}

interface Found {
  to: string | undefined;
  value: bigint | undefined;
  data?: string | undefined;
  gasLimit?: bigint | undefined;
  request?: JsonObject;
}

function requestBody({ to, value, data, gasLimit, request }: Found): JsonObject {
  return {
    ...(to !== undefined && { to }),
    ...(value !== undefined && { value: String(value) }),
    ...(data !== undefined && { data }),
    ...(gasLimit !== undefined && { gas_limit: gasLimit }),
    ...request,
  };
}

function refuseBroken(cells: RowCells, schema: Parameters<typeof brokenRules>[0], body: JsonObject, leftOut?: string) {
  for (const { path, rule } of brokenRules(schema, body)) {
    const [column] = path;
    if (typeof column === "string" && column !== leftOut) cells.refuse(column, rule);
  }
}
