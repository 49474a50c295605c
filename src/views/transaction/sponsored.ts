import { LAMPORTS, STROOPS } from "../../contract/currency.ts";
import type { JsonObject } from "../../contract/json.ts";
import { cell, fieldsView } from "../../terminal/cells.ts";
import type { Cell } from "../../terminal/view.ts";
import { showAmount } from "../policy-field.ts";

/** The cost of a transaction: the fields of Solana's response, then those of Stellar's (facts 3.5). */
export const quoteView = fieldsView(
  "quote",
  ["estimated_fee", "fee_in_token_ui", "fee_in_token", "max_fee_in_token_ui", "max_fee_in_token", "conversion_rate"],
  shown,
);

/** A transaction for a user to sign: the same for both kinds (facts 3.5). */
export const builtView = fieldsView(
  "built transaction",
  [
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
  ],
  shown,
);

function shown(field: string, item: JsonObject): Cell | undefined {
  const value = item[field];
  if (value === null || value === undefined) return undefined;
  const currency = { fee_in_lamports: LAMPORTS, fee_in_stroops: STROOPS }[field];
  return currency ? { text: showAmount(value, currency) } : cell(value);
}
