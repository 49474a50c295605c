import type { JsonObject } from "../../contract/json.ts";
import { ARGUMENT_COLUMNS, PRICE_COLUMNS } from "./columns.ts";
import type { RowCells } from "./row-cells.ts";

/** What a row is sent with, besides receiver and amount. */
export interface Terms {
  gasLimit: bigint | undefined;
  /** The price and the expiration. */
  request: JsonObject;
}

const TERM_COLUMNS = ["gas_limit", ...PRICE_COLUMNS, "valid_until"];
const CALL_COLUMNS = ["data", "call", ...ARGUMENT_COLUMNS];
/** A file in which each row has another gas limit has as many terms as rows. */
const MOST_KNOWN = 1000;

/**
 * The valid terms of transfers, by their texts. Most rows of a file have the same: validating them once takes half of the
 * time. No rule of a transfer depends on its terms and on its receiver or amount (facts 5.3).
 */
export class KnownTerms {
  private readonly known = new Map<string, Terms>();

  /** Returns undefined for terms that are not known, and for a call. */
  get(cells: RowCells): Terms | undefined {
    return isTransfer(cells) ? this.known.get(textOf(cells)) : undefined;
  }

  /** Remembers the terms of a row, which are valid. */
  add(cells: RowCells, terms: Terms): void {
    if (this.known.size < MOST_KNOWN && isTransfer(cells)) this.known.set(textOf(cells), terms);
  }
}

function isTransfer(cells: RowCells): boolean {
  return CALL_COLUMNS.every((name) => cells.text(name) === undefined);
}

/** A valid text has no line break, so that the terms of another row cannot have the same text. */
function textOf(cells: RowCells): string {
  return TERM_COLUMNS.map((name) => cells.text(name)).join("\n");
}
