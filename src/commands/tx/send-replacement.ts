import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Replacement } from "../../contract/replacement.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { perform } from "../../flow/perform.ts";
import type { Session } from "../../flow/session.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { DiffFlag } from "../../flow/shown.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { hashesText, namingHash } from "./hashes.ts";
import { replacementPreview } from "./replace-preview.ts";
import { transactionBefore } from "./transaction-before.ts";
import { transactionView } from "./view.ts";

/** A replacement that was judged. */
export interface Replacing {
  relayerId: string;
  /** Of the transaction. */
  id: string;
  body: JsonObject;
}

export async function sendReplacement(call: Call<DiffFlag>, replacing: Replacing): Promise<View> {
  const { relayerId, id, body } = replacing;
  const parameters = { relayer_id: relayerId, transaction_id: id };
  const look = (session: Session) => commandLine(...session.flags, "tx", "get", relayerId, id);
  return await perform<Transaction>(call, {
    ask: { operation: operations["tx.replace"], parameters, body },
    title: `replace transaction ${id} of ${relayerId}`,
    act: "replacing a transaction",
    id,
    resource: transactionView,
    before: () => transactionBefore(call, { relayerId, id, verb: "replace" }),
    preview: (before) => replacementPreview(body, before),
    send: (client, before) =>
      namingHash(client.tx.replace(relayerId, id, body as unknown as Replacement, { before }), before),
    receipt: (after, before, session) => ({
      applied: `accepted in ${session.name}, not done yet; ${hashesText(before, after)}`,
      next: `follow: ${look(session)}`,
    }),
    lookAgain: look,
  });
}
