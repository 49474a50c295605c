import type { JsonObject } from "../../../contract/json.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { cell, column, lines } from "../../cells.ts";

/** The members of a reply in their order; those that are not there are left out of the block. */
function membersView(one: string, members: readonly string[]): ResourceView {
  return {
    one,
    many: `${one}s`,
    table: members.map((member) => column(member, member)),
    flat: members,
    fields: members,
    block: (signed: JsonObject) =>
      members.flatMap((member) => (signed[member] === undefined ? [] : lines(member, [cell(signed[member])]))),
  };
}

/** What an EVM relayer signed. */
export const signatureView: ResourceView = membersView("signature", ["r", "s", "v", "sig"]);

/** A transaction that a Stellar relayer signed, or a Solana relayer. */
export const signedTransactionView: ResourceView = membersView("signed transaction", [
  "signedXdr",
  "transaction",
  "signature",
]);
