import type { JsonObject } from "../../../contract/json.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { cell, column, lines } from "../../cells.ts";

/** The members of a reply in their order; those that are not there are left out of the block. */
function fieldsView(one: string, fields: readonly string[]): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: fields.map((field) => column(field, field)),
    flat: fields,
    fields: fields,
    block: (signed: JsonObject) =>
      fields.flatMap((field) => (signed[field] === undefined ? [] : lines(field, [cell(signed[field])]))),
  };
}

/** What an EVM relayer signed. */
export const signatureView: ResourceView = fieldsView("signature", ["r", "s", "v", "sig"]);

/** A transaction that a Stellar relayer signed, or a Solana relayer. */
export const signedTransactionView: ResourceView = fieldsView("signed transaction", [
  "signedXdr",
  "transaction",
  "signature",
]);
