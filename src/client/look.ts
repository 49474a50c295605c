import { notificationsGet, notificationsList } from "../contract/operations/notifications.ts";
import { relayersGet, relayersList } from "../contract/operations/relayers.ts";
import { txGet } from "../contract/operations/transactions.ts";
import { RelayctlError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { find, type Lookup } from "./find.ts";
import { idInBody } from "./identity.ts";
import type { Link } from "./link.ts";
import { readOne } from "./read.ts";
import type { Ask } from "./request.ts";

export const RELAYER: Lookup = { get: relayersGet, list: relayersList, parameter: "relayer_id" };
export const NOTIFICATION: Lookup = { get: notificationsGet, list: notificationsList, parameter: "notification_id" };

/** Reads the thing that a write was about, as it is now. Rejects when it cannot be read or is not there. */
export async function look(ask: Ask, link: Link): Promise<Answer> {
  const { relayer_id, transaction_id, notification_id } = ask.parameters ?? {};
  if (relayer_id !== undefined && transaction_id !== undefined)
    return await readOne({ operation: txGet, parameters: { relayer_id, transaction_id } }, link);
  if (ask.operation.bare) throw new RelayctlError("server", "it is not known how to read this back");
  if (relayer_id !== undefined) return await find(RELAYER, relayer_id, link);
  return await find(NOTIFICATION, notification_id ?? idInBody(ask) ?? "", link);
}
