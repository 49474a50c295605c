import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import {
  createNotification,
  getNotification,
  listNotifications,
  updateNotification,
} from "./handlers/notifications.ts";
import { getRelayer, listRelayers, updateRelayer } from "./handlers/relayers.ts";
import { getTransaction, replaceTransaction } from "./handlers/transactions.ts";

/** A handler for every operation of the contract; the compiler names one that is missing. */
export const handlers: Record<OperationId, Handler> = {
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.update": updateRelayer,
  "tx.get": getTransaction,
  "tx.replace": replaceTransaction,
  "notifications.list": listNotifications,
  "notifications.get": getNotification,
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
};
