import type { JsonObject } from "../../../contract/json.ts";
import type { Cell, ResourceView } from "../../../terminal/view.ts";
import { cell } from "../../cells.ts";
import { fieldsView } from "../../fields-view.ts";

/** The view of an EVM relayer's signature. */
export const signatureView: ResourceView = fieldsView("signature", ["r", "s", "v", "sig"], shown);

/** The view of a transaction signed by a Stellar or Solana relayer. */
export const signedTransactionView: ResourceView = fieldsView(
  "signed transaction",
  ["signedXdr", "transaction", "signature"],
  shown,
);

function shown(field: string, signed: JsonObject): Cell | undefined {
  return signed[field] === undefined ? undefined : cell(signed[field]);
}
