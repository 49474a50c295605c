import type { JsonObject } from "../../contract/json.ts";
import { operationPath } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import type { Replacement } from "../../contract/replacement.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { API_PREFIX } from "../../contract/wire.ts";
import { perform } from "../../flow/perform.ts";
import type { Session } from "../../flow/session.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { DiffFlag } from "../../flow/shown.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
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
  const look = (session: Session) => {
    const path = operationPath(operations["tx.get"], parameters).slice(API_PREFIX.length);
    return commandLine(...session.flags, "api", "GET", path);
  };
  return await perform<Transaction>(call, {
    ask: { operation: operations["tx.replace"], parameters, body },
    title: `replace transaction ${id} of ${relayerId}`,
    act: "replacing a transaction",
    id,
    resource: transactionView,
    before: () => transactionBefore(call, relayerId, id),
    preview: (before) => replacementPreview(body, before),
    send: (client, before) => client.tx.replace(relayerId, id, body as unknown as Replacement, { before }),
    receipt: (after, before, session) => ({
      applied: accepted(after, before, session),
      next: `follow: ${look(session)}`,
    }),
    lookAgain: look,
  });
}

/** The record shows the newest hash alone, so the one that it had is told here or nowhere (service-facts 13.1). */
function accepted(after: Transaction, before: Transaction | undefined, session: Session): string {
  const hashes = [...(before ? [`before: ${hashOf(before)}`] : []), `now: ${hashOf(after)}`];
  return `accepted in ${session.name}; ${hashes.join("  ")}`;
}

function hashOf({ hash }: Transaction): string {
  return typeof hash === "string" ? hash : "no hash yet";
}
