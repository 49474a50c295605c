import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import { getBalance } from "./handlers/balance.ts";
import { createRelayer } from "./handlers/create-relayer.ts";
import { listTransactions } from "./handlers/list-transactions.ts";
import { notServed } from "./handlers/not-served.ts";
import {
  createNotification,
  deleteNotification,
  getNotification,
  listNotifications,
  updateNotification,
} from "./handlers/notifications.ts";
import { deleteRelayer, getRelayer, listRelayers, updateRelayer } from "./handlers/relayers.ts";
import { sign, signTransaction, signTypedData } from "./handlers/sign.ts";
import { getTransaction, replaceTransaction } from "./handlers/transactions.ts";

/** A handler for every operation of the contract; the compiler names one that is missing. */
export const handlers: Record<OperationId, Handler> = {
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.create": createRelayer,
  "relayers.update": updateRelayer,
  "relayers.delete": deleteRelayer,
  "relayers.status": notServed,
  "relayers.balance": getBalance,
  "relayers.rpc": notServed,
  "relayers.sign": sign,
  "relayers.sign-typed-data": signTypedData,
  "relayers.sign-transaction": signTransaction,
  "tx.delete-pending": notServed,
  "tx.list": listTransactions,
  "tx.get": getTransaction,
  "tx.get-by-nonce": notServed,
  "tx.send": notServed,
  "tx.replace": replaceTransaction,
  "tx.cancel": notServed,
  "tx.quote": notServed,
  "tx.build": notServed,
  "notifications.list": listNotifications,
  "notifications.get": getNotification,
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
  "notifications.delete": deleteNotification,
  "signers.list": notServed,
  "signers.get": notServed,
  "signers.create": notServed,
  "signers.update": notServed,
  "signers.delete": notServed,
  "networks.list": notServed,
  "networks.get": notServed,
  "networks.update": notServed,
  "plugins.list": notServed,
  "plugins.get": notServed,
  "plugins.update": notServed,
  "plugins.call": notServed,
  "plugins.call-get": notServed,
  "server.health": notServed,
  "server.ready": notServed,
  "server.metrics": notServed,
  "server.metric": notServed,
  "server.metrics-scrape": notServed,
};
