import { type Currency, LAMPORTS, STROOPS } from "../../../contract/currency.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { showAmount } from "../../../terminal/amount-text.ts";
import type { Cell, ResourceView } from "../../../terminal/view.ts";
import { cell, column, lines } from "../../cells.ts";

/** The currencies of amounts in the network's own coin. */
const CURRENCIES: Readonly<Record<string, Currency>> = { fee_in_lamports: LAMPORTS, fee_in_stroops: STROOPS };

/** The cost of a transaction: the fields of Solana's response, then those of Stellar's (facts 3.5). */
export const quoteView = viewOf("quote", [
  "estimated_fee",
  "fee_in_token_ui",
  "fee_in_token",
  "max_fee_in_token_ui",
  "max_fee_in_token",
  "conversion_rate",
]);

/** A transaction for a user to sign: the same for both kinds (facts 3.5). */
export const builtView = viewOf("built transaction", [
  "fee_token",
  "fee_in_spl",
  "fee_in_token_ui",
  "fee_in_token",
  "max_fee_in_token_ui",
  "max_fee_in_token",
  "fee_in_lamports",
  "fee_in_stroops",
  "valid_until",
  "valid_until_blockheight",
  "transaction",
  "user_auth_entry",
]);

/** Returns a block of the fields that are present, each with its label. */
function viewOf(one: string, fields: readonly string[]): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: fields.map((field) => column(field, field)),
    flat: fields,
    fields,
    block: (item) =>
      fields.flatMap((field) =>
        (item[field] ?? null) === null ? [] : lines(field.replaceAll("_", " "), [shown(field, item)]),
      ),
  };
}

function shown(field: string, item: JsonObject): Cell {
  const currency = CURRENCIES[field];
  return currency ? { text: showAmount(item[field], currency) } : cell(item[field]);
}
