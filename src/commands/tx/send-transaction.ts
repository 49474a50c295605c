import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { perform } from "../../flow/perform.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { DiffFlag } from "../../flow/shown.ts";
import { visible } from "../../terminal/escape.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { bodyLines, convertedMember, shownMember } from "./body-rows.ts";
import { relayerFor, type Sending } from "./relayer-check.ts";
import { transactionView } from "./view.ts";

/** There is no idempotency key: once it may have left it is never sent again (service-facts 5.3). */
export async function sendTransaction(call: Call<DiffFlag>, sending: Sending): Promise<View> {
  const { relayerId, body } = sending;
  return await perform<JsonObject>(call, {
    ask: { operation: operations["tx.send"], parameters: { relayer_id: relayerId }, body },
    title: `send a transaction from ${relayerId}`,
    act: "sending a transaction",
    id: relayerId,
    resource: transactionView,
    before: () => relayerFor(call, sending),
    preview: (relayer) => bodyLines(body, relayerRows(relayer)),
    send: (client) => client.tx.send(relayerId, body),
    receipt: ({ id, status }, _, session) => ({
      applied: `accepted in ${session.name}: transaction ${id}, ${status ?? "in no known state"}`,
      details: sentLines(body),
      next: `follow: ${commandLine(...session.flags, "tx", "get", relayerId, String(id))}`,
    }),
    lookAgain: (session) => commandLine(...session.flags, "tx", "list", relayerId),
  });
}

/** What was sent, for whoever was not asked. */
function sentLines({ value, to }: JsonObject): string[] {
  const amount = convertedMember("value", value) ?? shownMember("value", value);
  return value === undefined ? [] : [`sent: ${amount}${typeof to === "string" ? ` to ${to}` : ""}`];
}

/** Who sends, and on which network. */
function relayerRows(relayer: JsonObject | undefined): string[][] {
  const rows = [
    ["  from", relayer?.address],
    ["  on", relayer?.network],
  ];
  return rows.flatMap(([label, value]) => (typeof value === "string" ? [[String(label), visible(value)]] : []));
}
