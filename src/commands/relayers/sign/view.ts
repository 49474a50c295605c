import type { JsonObject } from "../../../contract/json.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { cell, column, lines } from "../../cells.ts";

/** Returns a view of a response's fields in order; missing ones are omitted from the block. */
function fieldsView(one: string, fields: readonly string[]): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: fields.map((field) => column(field, field)),
    flat: fields,
    fields,
    block: (signed: JsonObject) =>
      fields.flatMap((field) => (signed[field] === undefined ? [] : lines(field, [cell(signed[field])]))),
  };
}

/** The view of an EVM relayer's signature. */
export const signatureView: ResourceView = fieldsView("signature", ["r", "s", "v", "sig"]);

/** The view of a transaction signed by a Stellar or Solana relayer. */
export const signedTransactionView: ResourceView = fieldsView("signed transaction", [
  "signedXdr",
  "transaction",
  "signature",
]);
